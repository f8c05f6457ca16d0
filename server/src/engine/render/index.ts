/** Renders templates: Handlebars syntax, evaluated by our own interpreter with a step limit and access to the data only. */

export { makeSteps, type Steps } from './budget.ts'
export type { ShownNetwork } from './helper-call.ts'
export { parseTemplate } from './parse-template.ts'
export { type Rendered, type RenderOptions, renderTemplate } from './render-template.ts'
