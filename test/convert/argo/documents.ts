// Documents for Argo as people write them by hand. Argo's linter accepts them (`engines/argo`).

const head = (entrypoint: string, more = '') => `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  generateName: by-hand-
spec:
  entrypoint: ${entrypoint}
${more}  templates:
`;

const leaf = (name: string, more = '') => `  - name: ${name}
    inputs: { parameters: [{ name: text, value: none }] }
    outputs: { parameters: [{ name: said, valueFrom: { path: /tmp/said } }] }
    script:
      image: busybox:1.36
      command: [sh]
      source: echo "{{inputs.parameters.text}}" | tee /tmp/said
${more}`;

/** Four tasks, the last after two side by side. */
export const DIAMOND = `${head('main')}  - name: main
    dag:
      tasks:
      - { name: D, template: say, depends: B && C.Succeeded, arguments: { parameters: [{ name: text, value: "{{tasks.B.outputs.result}}" }] } }
      - { name: A, template: say, arguments: { parameters: [{ name: text, value: first }] } }
      - { name: B, template: say, depends: A, arguments: { parameters: [{ name: text, value: "{{tasks.A.outputs.parameters.said}}" }] } }
      - { name: C, template: say, depends: A }
${leaf('say')}`;

/** A way that is gone on one condition, and another on another; then both go on. */
export const CONDITIONS = `${head('main', '  arguments: { parameters: [{ name: kind, value: big }] }\n')}  - name: main
    inputs: { parameters: [{ name: kind }] }
    steps:
    - - { name: measure, template: say, arguments: { parameters: [{ name: text, value: "{{inputs.parameters.kind}}" }] } }
    - - { name: large, template: say, when: "{{inputs.parameters.kind}} == big && {{steps.measure.outputs.result}} > 3" }
      - { name: small, template: say, when: "{{workflow.parameters.kind}} != big" }
    - - { name: after, template: say }
${leaf('say')}`;

/** Loops over items that are known, and over a list that a step gives. */
export const LOOPS = `${head('main')}  - name: main
    steps:
    - - { name: list, template: say }
    - - name: fixed
        template: say
        arguments: { parameters: [{ name: text, value: "{{item.of}} at {{steps.list.outputs.result}}" }] }
        withItems: [{ of: a, at: 1 }, { of: b, at: 2 }]
      - name: given
        template: say
        when: "{{item.wanted}} == true"
        arguments: { parameters: [{ name: text, value: "{{item.of}}" }] }
        withParam: "{{steps.list.outputs.parameters.said}}"
      - { name: counted, template: say, arguments: { parameters: [{ name: text, value: "{{item}}" }] }, withSequence: { count: 3 } }
${leaf('say')}`;

/** Attempts, their waits and their time; somebody resumes it; a failure is gone on after. */
export const TRIES = `${head('main', '  onExit: bye\n')}  - name: main
    steps:
    - - { name: try, template: try, continueOn: { failed: true } }
    - - { name: approve, template: approve }
    - - { name: pause, template: pause }
    - - { name: nested, template: nested }
  - name: nested
    dag:
      tasks:
      - { name: a, template: say }
      - { name: rescue, template: say, depends: a.Failed || a.Errored }
  - name: approve
    suspend: {}
  - name: pause
    suspend: { duration: 1m30s }
  - name: bye
    steps:
    - - { name: well, template: say, when: "{{workflow.status}} == Succeeded" }
      - { name: badly, template: say, when: "{{workflow.status}} != Succeeded" }
${leaf('say')}${leaf(
  'try',
  `    retryStrategy:
      limit: "4"
      backoff: { duration: "2", factor: 2 }
    activeDeadlineSeconds: 20
`,
)}`;
