/** The parts of a definition as people call them. */
const words: Readonly<Record<string, string>> = {
  meta: 'the title',
  backend: 'the backend',
  triggerSpec: 'the source',
  sourceBindings: 'the sources',
  inputs: 'the inputs',
  filtersSchema: 'the filters',
  providers: 'the providers',
  conditions: 'the conditions',
  activation: 'the activation script',
  transform: 'the output',
  outputSchema: 'the fields of the output',
  defaults: 'the message',
  executionPolicy: 'the limits of a run',
  tags: 'the tags',
  labels: 'the labels',
}

/** `['defaults', 'triggerSpec.contract']` → “the message”, “the source” */
export function partWords(fields: readonly string[]): string[] {
  return [...new Set(fields.map((field) => words[field.split('.')[0] ?? ''] ?? field))]
}
