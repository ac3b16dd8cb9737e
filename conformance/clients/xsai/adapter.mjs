/** xsAI: `streamText()` and `generateText()`, which run the tools. */

import { load, serve } from "../shared/line_protocol.mjs";

const { generateText } = await load(() => import("@xsai/generate-text"));
const { streamText } = await load(() => import("@xsai/stream-text"));
const { rawTool } = await load(() => import("@xsai/tool"));

/** One of the case's tools; it writes down that it was run. */
function recording({ name, description, parameters }, outcome) {
  const execute = (input, { toolCallId }) => {
    outcome.call(toolCallId, name, input);
    return "done";
  };
  return rawTool({ name, description, parameters, strict: false, execute });
}

async function drive(ask, outcome) {
  const { model, messages, tools } = ask.request;
  const settings = {
    model,
    messages,
    baseURL: ask.base_url,
    apiKey: ask.api_key,
    tools: (tools ?? []).map((one) => recording(one.function, outcome)),
  };
  const steps = ask.mode === "stream" ? await streamText(settings).steps : (await generateText(settings)).steps;
  outcome.content = steps[0].text; // generateText() asks a second time, once the tools were run
  outcome.finishReason = steps[0].finishReason;
}

await serve("xsai", "@xsai/stream-text", drive);
