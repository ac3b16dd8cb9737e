/** Vercel AI SDK 6 with its provider for compatible servers: `streamText` and `generateText`, which run the tools. */

import { load, serve } from "../shared/line_protocol.mjs";

const { generateText, streamText, tool } = await load(() => import("ai"));
const { createOpenAICompatible } = await load(() => import("@ai-sdk/openai-compatible"));
const { z } = await load(() => import("zod"));

/** The case's tools, checked by zod as in its documentation; each writes down that it was run. */
function recording(tools, outcome) {
  const made = tools.map(({ function: { name, description, parameters } }) => {
    const execute = (input, { toolCallId }) => {
      outcome.call(toolCallId, name, input);
      return "done";
    };
    return [name, tool({ description, inputSchema: z.fromJSONSchema(parameters), execute })];
  });
  return Object.fromEntries(made);
}

/** Calls that the SDK lists and does not run: invalid ones, and all where the answer ended for another reason. */
function withheld(listed, outcome) {
  const ran = new Set(outcome.calls.map(({ id }) => id));
  for (const { toolCallId, toolName, input, invalid, error } of listed) {
    if (ran.has(toolCallId)) continue;
    const why = invalid ? error?.message : `listed in toolCalls and not run; finish reason ${outcome.finishReason}`;
    outcome.refused(toolCallId, toolName, input, why);
  }
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
  if (ask.mode === "complete") {
    const { finishReason, text, toolCalls } = await generateText(settings);
    Object.assign(outcome, { content: text, finishReason });
    withheld(toolCalls, outcome);
    return;
  }
  const errors = [];
  const listed = [];
  const { fullStream } = streamText({ ...settings, onError: ({ error }) => errors.push(error) });
  for await (const part of fullStream) {
    if (part.type === "text-delta") outcome.content = (outcome.content ?? "") + part.text;
    if (part.type === "tool-call") listed.push(part);
    if (part.type === "finish") outcome.finishReason = part.finishReason;
  }
  withheld(listed, outcome);
  if (errors.length) throw errors[0];
}

await serve("ai-sdk", "ai", drive, { packages: ["@ai-sdk/openai-compatible"] });
