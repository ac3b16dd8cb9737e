/** Vercel AI SDK 6 with its provider for compatible servers: `streamText` and `generateText`, which run the tools. */

import { load, serve } from "../shared/line_protocol.mjs";

const { generateText, jsonSchema, streamText, tool } = await load(() => import("ai"));
const { createOpenAICompatible } = await load(() => import("@ai-sdk/openai-compatible"));

/** The case's tools; each writes down that it was run. */
function recording(tools, outcome) {
  const made = tools.map(({ function: { name, description, parameters } }) => {
    const execute = (input, { toolCallId }) => {
      outcome.call(toolCallId, name, input);
      return "done";
    };
    return [name, tool({ description, inputSchema: jsonSchema(parameters), execute })];
  });
  return Object.fromEntries(made);
}

async function drive(ask, outcome) {
  const { model, messages, tools } = ask.request;
  const provider = createOpenAICompatible({ name: "case", baseURL: ask.base_url, apiKey: ask.api_key });
  const settings = {
    model: provider.chatModel(model),
    prompt: messages.at(-1).content,
    tools: recording(tools ?? [], outcome),
    maxRetries: 0,
  };
  const refuse = (call) => {
    if (call.invalid) outcome.refused(call.toolCallId, call.toolName, call.input, call.error?.message);
  };
  if (ask.mode === "complete") {
    const { finishReason, text, toolCalls } = await generateText(settings);
    Object.assign(outcome, { content: text, finishReason });
    toolCalls.forEach(refuse);
    return;
  }
  const errors = [];
  const { fullStream } = streamText({ ...settings, onError: ({ error }) => errors.push(error) });
  for await (const part of fullStream) {
    if (part.type === "text-delta") outcome.content = (outcome.content ?? "") + part.text;
    if (part.type === "tool-call") refuse(part);
    if (part.type === "finish") outcome.finishReason = part.finishReason;
  }
  if (errors.length) throw errors[0];
}

await serve("ai-sdk", "ai", drive, { packages: ["@ai-sdk/openai-compatible"] });
