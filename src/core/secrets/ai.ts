import { ALNUM, family, HEX, URL_SAFE } from './token-formats.js';

/** Model providers. */
export const ai = [
  family('anthropic-key', 'an Anthropic API key', [
    { prefix: ['sk-ant-api03-', 'sk-ant-admin01-'], body: `${URL_SAFE}{93}AA`, entropy: 3 },
  ]),
  family('openai-key', 'an OpenAI API key', [
    // "T3BlbkFJ" is the base64 of "OpenAI".
    {
      prefix: ['sk-proj-', 'sk-svcacct-', 'sk-admin-'],
      body: `${URL_SAFE}{40,80}T3BlbkFJ${URL_SAFE}{40,80}`,
      entropy: 3.5,
    },
    { prefix: 'sk-', body: `${ALNUM}{20}T3BlbkFJ${ALNUM}{20}`, entropy: 3.5 },
  ]),
  family('openrouter-key', 'an OpenRouter API key', [{ prefix: 'sk-or-v1-', body: `${HEX}{64}` }]),
  family('huggingface-token', 'a Hugging Face token', [
    { prefix: ['hf_', 'api_org_'], body: `[A-Za-z]{34}`, entropy: 3.4 },
  ]),
  family('perplexity-key', 'a Perplexity API key', [
    { prefix: 'pplx-', body: `${ALNUM}{48}`, entropy: 3.5 },
  ]),
  family('replicate-token', 'a Replicate token', [
    { prefix: 'r8_', body: `${ALNUM}{37}`, entropy: 3.5 },
  ]),
  family('groq-key', 'a Groq API key', [{ prefix: 'gsk_', body: `${ALNUM}{52}`, entropy: 3.5 }]),
  family('xai-key', 'an xAI API key', [{ prefix: 'xai-', body: `${ALNUM}{80}`, entropy: 3.5 }]),
  family('nvidia-key', 'an NVIDIA API key', [
    { prefix: 'nvapi-', body: `${URL_SAFE}{64}`, entropy: 3.5 },
  ]),
  family('pinecone-key', 'a Pinecone API key', [
    { prefix: 'pcsk_', body: `${ALNUM}{4,8}_${ALNUM}{60,70}`, entropy: 3.5 },
  ]),
];
