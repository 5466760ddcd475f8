/** The part of bpmn-moddle that is used here. */
declare module 'bpmn-moddle' {
  export class BpmnModdle {
    create(type: string, properties: Readonly<Record<string, unknown>>): never;
    createAny(type: string, uri: string, properties: Readonly<Record<string, unknown>>): never;
    toXML(
      element: unknown,
      options: { readonly format: boolean },
    ): Promise<{ readonly xml: string }>;
    fromXML(xml: string): Promise<{
      readonly rootElement: unknown;
      readonly warnings: readonly { readonly message: string }[];
    }>;
  }
}
