import { groupViolations } from '../judge/groups.js';
import { judge } from '../judge/judge.js';
import { parseClock } from '../model/clock.js';
import { bundledPlan, bundledProblem } from './bundled.js';

/** A plan printed in a paper, with the paper's claims about it. */
interface PrintedPlan {
  /** Its name among the bundled plans. */
  readonly plan: string;
  readonly planner: string;
  readonly paper: 'feasible' | 'infeasible';
  /** Faults that the paper names. */
  readonly finding: string;
  /** The plan before a change, and the time at which the change becomes known. */
  readonly before?: string;
  readonly now?: string;
  /** The agreement or the difference, in words. */
  readonly explanation: string;
}

/** The verdicts of a paper and of the judge about one plan. */
export interface PrintedVerdict extends PrintedPlan {
  readonly problem: string;
  readonly valid: boolean;
  /** Codes of all violations, with repetitions. */
  readonly codes: readonly string[];
  /** Kilometres that all vehicles drive; minutes on the road if no distances are given. */
  readonly km: number;
  /** One sentence for each cause. */
  readonly words: readonly string[];
  /** Whether paper and judge agree on feasibility. */
  readonly agree: boolean;
}

const printed: readonly PrintedPlan[] = [
  {
    plan: 'alas-table-21',
    planner: 'DeepSeek',
    paper: 'feasible',
    finding: 'the best of the three, as James waits for Emily',
    explanation:
      'The same. Everybody is at home at 16:00, after 120 minutes on the road; tables 22 and 23 need 240.',
  },
  {
    plan: 'alas-table-22',
    planner: 'GPT-4o',
    paper: 'feasible',
    finding: 'but Michael drives all the ways',
    explanation:
      'The same, without a minute to spare: Michael and Grandma are home at 18:00, which is in time only as long as "before 6:00 PM" in table 30 means "by".',
  },
  {
    plan: 'alas-table-23',
    planner: 'Claude',
    paper: 'feasible',
    finding: 'but James need not go home before he fetches Emily',
    explanation: 'The same: the detour costs kilometres, and breaks no rule.',
  },
  {
    plan: 'alas-table-24',
    planner: 'Claude',
    paper: 'infeasible',
    finding:
      'a travel time is wrong; it is questionable to begin the turkey at 10:00, and that James leaves the airport without Emily',
    explanation:
      'The same for the travel time. The two questionable rows break no rule that is stated: the oven is watched all day, and Emily is fetched by Michael.',
  },
  {
    plan: 'alas-table-25',
    planner: 'DeepSeek',
    paper: 'infeasible',
    finding: 'travel times are wrong',
    explanation:
      'The same for the travel times, each way of the round trip. The judge also finds that James needs an hour for luggage and car, and has half an hour, which the paper does not say (and which is no fault if this attempt was made without the hour of F.7).',
  },
  {
    plan: 'alas-table-27',
    planner: 'not named',
    paper: 'infeasible',
    finding: 'Grandma is not fetched, and cannot be any more',
    before: 'alas-table-21',
    now: '12:00',
    explanation:
      'The same for the dinner without Grandma. But she could be there: Michael leaves home at 15:00, fetches Emily at 16:00 and Grandma at 17:00, and is back at 17:30 (plan thanksgiving-delay-home, valid). The table loses 15 minutes at home and 30 at the airport, for luggage that Emily has since 15:00, and leaves Grandma’s off the way home.',
  },
  {
    plan: 'alas-table-28',
    planner: 'ALAS',
    paper: 'feasible',
    finding: 'Michael is sent to the airport at noon, which other models overlooked',
    before: 'thanksgiving-road',
    now: '12:00',
    explanation:
      'The same if Michael, an hour into a drive of four, can turn to the airport without losing time (assumed: no source says where he is). If the four hours of the table began at noon, he would be there at 16:00, not at 15:00. The text says that he goes on from the airport to Grandma and saves half an hour; the table sends him home first.',
  },
  {
    plan: 'alas-table-28-home',
    planner: 'ALAS',
    paper: 'feasible',
    finding: 'as above',
    before: 'alas-table-21',
    now: '12:00',
    explanation:
      'With the facts that the problem states (Michael is at home from 15:00 on) the plan has him at the airport with his car when he is not there. The change of way is not needed, either: thanksgiving-delay-home is valid without it.',
  },
  {
    plan: 'sagallm-table-6',
    planner: 'Claude 3.7',
    paper: 'infeasible',
    finding: 'Pat is at the tailor after closing time',
    explanation: 'The same, and nothing else.',
  },
  {
    plan: 'sagallm-table-7',
    planner: 'Claude 3.7',
    paper: 'infeasible',
    finding: "the alert changes nothing in Pat's drive from the airport",
    before: 'wedding',
    now: '13:00',
    explanation:
      'The same: leaving at 12:50, Pat has 20 of 30 minutes left at 13:00, which become 60. Even without traffic the arrival at 13:10 would be too early. The judge also finds that Chris drives 25 minutes in 15, of which the text says nothing.',
  },
  {
    plan: 'sagallm-table-8',
    planner: 'DeepSeek R1',
    paper: 'infeasible',
    finding: 'what had happened is rewritten: Pat is at the airport since 12:40; the group is late',
    before: 'sagallm-table-6',
    now: '13:00',
    explanation:
      'The same: two drives of the past are gone, and there are no photos. The judge also finds both drives of Pat too fast for the traffic (80 minutes, where 120 are needed), and two of Chris too fast on roads without any (15 minutes, where 20 and 25 are needed), of which the text says nothing.',
  },
  {
    plan: 'sagallm-table-9',
    planner: 'GPT-o1',
    paper: 'feasible',
    finding: 'but coarse',
    explanation:
      'The same, to the minute: 10 of 40 minutes are done at 13:00, the other 30 become 90, and Pat arrives at 14:30. The plan tells its own past; what GPT-o1 had planned before is not printed. If it was the order that the text reports, to the tailor first, Pat was on another road at 13:00.',
  },
];

/** Judges all plans that the papers print. */
export function judgePrintedPlans(): PrintedVerdict[] {
  return printed.map((one) => {
    const plan = bundledPlan(one.plan);
    const past =
      one.before === undefined || one.now === undefined
        ? undefined
        : { plan: bundledPlan(one.before), now: parseClock(one.now) };
    const { valid, violations, metres } = judge(bundledProblem(plan.problem), plan, past);
    return {
      ...one,
      problem: plan.problem,
      valid,
      codes: violations.map(({ code }) => code),
      km: metres / 1000,
      words: groupViolations(plan, violations).map(({ root }) => root.message),
      agree: valid === (one.paper === 'feasible'),
    };
  });
}
