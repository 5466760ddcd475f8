import type { AnswerProblem } from '../live/requests.js';

/** A problem of the service, with its hint. */
export function ProblemBox({ problem }: { problem: AnswerProblem }) {
  return (
    <p class="problem" role="alert">
      {problem.message}
      {problem.hint !== null && <span class="quiet"> {problem.hint}</span>}
    </p>
  );
}
