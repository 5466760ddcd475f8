/** The formats that tools take, as short as they can be told to an agent. */
export const formatsForAgents = `# Formats

Jobs are "Job1", "Job2", …, machines "Machine0", "Machine1", …, or go by their names where they have names.
Steps of a job count from 1. Times are whole numbers from 0; ISO 8601 where an instance has a time scale.

## Plan

\`\`\`json
[{ "job": "Job1", "step": 1, "machine": "Machine2", "start": 0, "end": 1 }]
\`\`\`

One entry for every operation. The machine and the duration have to be those of the instance. CSV with the
same columns is understood, too.

## Instance

\`\`\`json
{ "schema": "alas-jssp/instance@1", "name": "two-jobs", "machines": 2,
  "jobs": [{ "operations": [{ "machine": 0, "duration": 3 }, { "machine": 1, "duration": 2 }], "due": 9 },
           { "operations": [{ "machine": 1, "duration": 4 }], "release": 1, "weight": 2, "deadline": 20 }],
  "downtimes": [{ "machine": 0, "from": 10, "to": 12, "resumable": true }] }
\`\`\`

Of a job only the operations are needed, and no downtimes.

## Events

\`\`\`json
[{ "kind": "breakdown", "machine": "Machine0", "from": 10, "to": 25, "resumable": true },
 { "kind": "restored", "machine": "Machine0", "at": 20 },
 { "kind": "duration", "at": 12, "job": "Job1", "step": 2, "factor": 1.5 },
 { "kind": "delay", "at": 12, "job": "Job2", "step": 1, "until": 30 },
 { "kind": "arrival", "at": 15, "job": { "name": "rush", "release": 15, "due": 40,
   "operations": [{ "machine": "Machine1", "duration": 5 }] } },
 { "kind": "cancellation", "at": 18, "job": "Job2" }]
\`\`\`

A breakdown without \`to\` lasts for as long as nobody knows. \`duration\` in place of \`factor\` is a new one.

## Policy

"default", "high-stability" (changes less), or changes to the default:

\`\`\`json
{ "limits": { "most_edited": 10 }, "objective": "total-weighted-tardiness" }
\`\`\`
`;
