/** TanStack AI: `chat()` on its adapter for compatible servers, which runs the tools; it always streams. */

import { load, serve } from "../shared/line_protocol.mjs";

const { chat, maxIterations } = await load(() => import("@tanstack/ai"));
const { openaiCompatibleText } = await load(() => import("@tanstack/ai-openai/compatible"));

async function drive(ask, outcome) {
  const { model, messages, tools } = ask.request;
  const config = { baseURL: ask.base_url, apiKey: ask.api_key, maxRetries: 0 };
  const recording = ({ function: { name, description, parameters } }) => ({
    name,
    description: description ?? name,
    inputSchema: parameters,
    execute: (input, { toolCallId }) => {
      outcome.call(toolCallId, name, input);
      return "done";
    },
  });
  const events = chat({
    adapter: openaiCompatibleText(model, config),
    messages: [{ role: "user", content: messages.at(-1).content }],
    tools: (tools ?? []).map(recording),
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
