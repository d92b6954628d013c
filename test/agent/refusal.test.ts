import * as assert from 'uvu/assert';
import { isRefusal } from '../../src/agent/grounding.js';
import { mustEnd } from '../support/must-end.js';
import { suite } from '../support/suite.js';

const test = suite('agent/refusal');

test('apologies that decline are refusals', () => {
  for (const text of [
    "I'm sorry, but I can't assist with that.",
    'I’m sorry, but I can’t assist with that request.',
    "I'm sorry, I cannot help with this request.",
    'Sorry, but I am unable to do that.',
    'I cannot fulfill this request.',
    "I can't help with that.",
    "I'm unable to assist with that request.",
    'Unfortunately, I cannot provide that information.',
    'As an AI language model, I cannot assist with this.',
    'I must decline.',
    'Es tut mir leid, aber dabei kann ich nicht helfen.',
    'Je suis désolé, mais je ne peux pas vous aider.',
    'Lo siento, pero no puedo ayudar con eso.',
    'Desculpe, mas não posso ajudar com isso.',
    '抱歉，我无法协助处理这个请求。',
    '很抱歉，我不能帮助你完成这个请求。',
    '申し訳ありませんが、そのリクエストにはお応えできません。',
    '죄송합니다. 그 요청은 도와드릴 수 없습니다.',
    'К сожалению, я не могу с этим помочь.',
    'Przepraszam, nie mogę w tym pomóc.',
    'Sorry, daar kan ik niet mee helpen.',
    'Tyvärr kan jag inte hjälpa till med det.',
    'Leider kann ich dabei nicht helfen.',
    'Malheureusement, je ne peux pas vous aider.',
    'Üzgünüm, bu konuda yardımcı olamam.',
    "I'm sorry, but I can't review the function totalPrice.",
  ]) {
    assert.ok(isRefusal(text), text);
  }
});

test('an answer that says sorry or cannot is not a refusal', () => {
  for (const text of [
    'The function cannot return null because it throws first.',
    "I'm sorry for the confusion: the limit is 100.",
    'The value is 42.',
    'Leider prüft totalPrice den Wert nicht.',
    'Purtroppo totalPrice non controlla il valore.',
    'It cannot be read before it is opened.',
    'Sorry state: see src/state.ts line 12.',
    '抱歉，我刚才说错了：上限是 100。',
    '',
    `I'm sorry, but I can't assist with that. ${'However, the code says otherwise. '.repeat(20)}`,
  ]) {
    assert.not.ok(isRefusal(text), text);
  }
});

test('a long hostile text is read in linear time', () => {
  mustEnd(() => {
    for (const text of [
      `i'm sorry ${'i '.repeat(250_000)}`,
      ' '.repeat(500_000),
      'seems '.repeat(100_000),
    ]) {
      isRefusal(text);
    }
  });
});

test.run();
