/** TanStack AI: `chat()` on its adapter for compatible servers, which runs the tools; it always streams. */

import { load, serve } from "../shared/line_protocol.mjs";

const { chat, maxIterations, toolDefinition } = await load(() => import("@tanstack/ai"));
const { openaiCompatibleText } = await load(() => import("@tanstack/ai-openai/compatible"));
const { z } = await load(() => import("zod"));

/** One of the case's tools, checked by zod as in its documentation; it writes down that it was run. */
function recording({ name, description, parameters }, outcome) {
  const inputSchema = z.fromJSONSchema(parameters);
  return toolDefinition({ name, description: description ?? name, inputSchema }).server((input, { toolCallId }) => {
    outcome.call(toolCallId, name, input);
    return "done";
  });
}

async function drive(ask, outcome) {
  const { model, messages, tools } = ask.request;
  const config = { baseURL: ask.base_url, apiKey: ask.api_key, maxRetries: 0 };
  const events = chat({
    adapter: openaiCompatibleText(model, config),
    messages: [{ role: "user", content: messages.at(-1).content }],
    tools: (tools ?? []).map((one) => recording(one.function, outcome)),
    agentLoopStrategy: maxIterations(1),
  });
  const names = new Map();
  let error;
  for await (const event of events) {
    const more = event.metadata?.tanstack;
    if (event.type === "TEXT_MESSAGE_CONTENT") outcome.content = (outcome.content ?? "") + event.delta;
    if (event.type === "TOOL_CALL_START") names.set(event.toolCallId, event.toolCallName);
    if (event.type === "TOOL_CALL_RESULT" && more?.state === "output-error") {
      outcome.refused(event.toolCallId, names.get(event.toolCallId), null, event.content);
    }
    if (event.type === "RUN_FINISHED") outcome.finishReason = more?.finishReason;
    if (event.type === "RUN_ERROR") error ??= event;
  }
  if (error) throw new Error(error.message);
}

await serve("tanstack-ai", "@tanstack/ai", drive, {
  packages: ["@tanstack/ai-openai", "openai"],
  modes: ["stream"],
});
