/** openai for Node.js, version 7: the accumulator behind `chat.completions.stream()`, and `create()`. */

import { load, serve } from "../shared/line_protocol.mjs";

const { default: OpenAI } = await load(() => import("openai"));

async function drive(ask, outcome) {
  const client = new OpenAI({ baseURL: ask.base_url, apiKey: ask.api_key, maxRetries: 0 });
  const { completions } = client.chat;
  const completion =
    ask.mode === "stream"
      ? await completions.stream({ ...ask.request, stream: true }).finalChatCompletion()
      : await completions.create({ ...ask.request, stream: false });
  const choice = completion.choices[0]; // as its users write it: what these lines throw, they meet as well
  outcome.content = choice.message.content;
  outcome.finishReason = choice.finish_reason;
  for (const call of choice.message.tool_calls ?? []) {
    outcome.call(call?.id, call?.function?.name, call?.function?.arguments);
  }
}

await serve("openai-node-7", "openai", drive);
