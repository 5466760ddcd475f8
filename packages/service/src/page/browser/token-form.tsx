import { CheckBox } from 'alas-jssp/page/parts';
import { useState } from 'preact/hooks';
import { type AnswerProblem, rememberToken } from './live/requests.js';
import { texts } from './texts.js';

interface Props {
  readonly refusal: AnswerProblem;
  readonly onToken: () => void;
}

/** Asks for a token, which all later requests of the page carry. */
export function TokenForm({ refusal, onToken }: Props) {
  const [token, setToken] = useState('');
  const [keeps, setKeeps] = useState(false);
  const words = texts.token;
  const isMissing = refusal.code === 'no_token';
  const submit = (event: Event) => {
    event.preventDefault();
    if (token.trim() === '') return;
    rememberToken(token.trim(), keeps);
    onToken();
  };
  return (
    <main class="sign-in">
      <h1>{texts.title}</h1>
      <form onSubmit={submit}>
        <h2>{words.heading}</h2>
        <p role={isMissing ? undefined : 'alert'}>{isMissing ? words.missing : words.wrong}</p>
        <label class="field">
          {words.label}
          <input
            type="password"
            autocomplete="current-password"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <CheckBox class="tick-box" checked={keeps} onChange={setKeeps}>
          {words.keep}
        </CheckBox>
        <button type="submit" class="main-button">
          {words.send}
        </button>
      </form>
    </main>
  );
}
