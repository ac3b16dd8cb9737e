/** OpenAI Agents SDK for JavaScript on Chat Completions: an agent, which runs the tools. */

import { load, serve } from "../shared/line_protocol.mjs";

process.env.OPENAI_AGENTS_DISABLE_TRACING = "1";
const { Agent, OpenAIChatCompletionsModel, run, tool } = await load(() => import("@openai/agents"));
const { default: OpenAI } = await load(() => import("openai"));
const { z } = await load(() => import("zod"));

const RAN = "done";

/** One of the case's tools, checked by zod as in its documentation; it writes down that it was run. */
function recording({ name, description, parameters }, outcome) {
  const execute = (input, _context, details) => {
    outcome.call(details?.toolCall?.callId, name, input);
    return RAN;
  };
  return tool({ name, description: description ?? name, parameters: z.fromJSONSchema(parameters), execute });
}

async function drive(ask, outcome) {
  const { model, messages, tools } = ask.request;
  const client = new OpenAI({ baseURL: ask.base_url, apiKey: ask.api_key, maxRetries: 0 });
  const agent = new Agent({
    name: "case",
    model: new OpenAIChatCompletionsModel(client, model),
    tools: (tools ?? []).map((one) => recording(one.function, outcome)),
  });
  const result = await run(agent, messages.at(-1).content, { stream: ask.mode === "stream" });
  if (ask.mode === "stream") await result.completed;
  for (const item of result.newItems) {
    if (item.type === "message_output_item") outcome.content ??= item.content;
    if (item.type === "tool_call_output_item" && item.output !== RAN) refuse(item, result.newItems, outcome);
  }
}

/** A call that was not run: the SDK tells the model why, as the tool's result. */
function refuse({ rawItem, output }, items, outcome) {
  const call = items.find((one) => one.type === "tool_call_item" && one.rawItem.callId === rawItem.callId);
  outcome.refused(rawItem.callId, rawItem.name, call?.rawItem.arguments, output);
}

await serve("openai-agents-js", "@openai/agents", drive, { packages: ["openai"] });
