import { type Check, checksOf } from './doctor-report.js';

const MOST_SHOWN = 20;

/** Text in a language the model does not speak is refused by the server. */
export function judgeLanguage(supported: readonly string[], locale: string | undefined): Check {
  const { ok, attention } = checksOf('machine');
  const language = languageOf(locale);
  const shown = supported.slice(0, MOST_SHOWN).join(', ');
  const more = supported.length > MOST_SHOWN ? ', ...' : '';
  if (supported.length === 0) {
    return ok('language', 'the server does not say which languages the model speaks');
  }
  const has = `the model speaks ${shown}${more}`;
  if (language === undefined) return ok('language', `${has}; no language is set here`);
  return supported.some(each => languageOf(each) === language)
    ? ok('language', `${has}; yours is ${language}`)
    : attention(
        'language',
        `${has}; yours is ${language}, and text in it may be refused`,
        'set the language of macOS and of Siri to one of these',
      );
}

/** `de` of `de_DE.UTF-8`, `de-AT` and `DE`; undefined where no language is meant, as in `C`. */
function languageOf(locale: string | undefined): string | undefined {
  const [language = ''] = (locale ?? '').slice(0, 40).split(/[-_.@]/);
  return /^[a-z]{2,3}$/i.test(language) ? language.toLowerCase() : undefined;
}
