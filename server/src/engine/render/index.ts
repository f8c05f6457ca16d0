/** Templates → text: Handlebars by a bounded walker that reaches nothing but the data. */
export { type Rendered, type RenderOptions, renderTemplate } from './render-template.ts'
