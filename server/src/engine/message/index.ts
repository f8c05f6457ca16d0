/** Renders the message of an output from the trigger's templates and the subscription's overrides. */
import { type Message, Severity } from '@tocsin/contract'
import { makeSteps, type RenderOptions, renderTemplate } from '../render/index.ts'
import type { MessageContext } from './context.ts'
import { plainText } from './plain-text.ts'
import type { Templates } from './templates.ts'

export { type AddressEntry, makeAddressBook, mayUseAddresses } from './address-book.ts'
export { type MessageContext, messageContext } from './context.ts'
export { digestMessage, digestSeverity } from './digest.ts'
export {
  contractOf,
  type MessageNetwork,
  type NetworkUse,
  networkOfItem,
  networkUseOf,
} from './message-network.ts'
export { type Templates, templatesOf } from './templates.ts'
export { makeTokenTable, type TokenTable } from './token-table.ts'

export type RenderedMessage = { message: Message; severity: Severity; issues: string[] }

/** The steps of all templates of a message together, and the characters of each. */
const stepsMax = 50_000
const outputMax = 20_000
const textFields = ['short', 'long'] as const
const imageFields = ['icon', 'cover', 'avatar'] as const
/** The path of an uploaded image, as the API returns it. */
const uploadPath = /^\/api\/(?:projects\/[^/?#]+\/images|workspaces\/[^/?#]+\/avatar)\/[^/?#]+$/

export type MessageOptions = {
  addressBook?: RenderOptions['addressBook'] | undefined
  network?: RenderOptions['network'] | undefined
  /** The public URL of the service. A receiver needs it to load an uploaded image. */
  publicUrl?: string | undefined
}

/**
 * Always returns a message. A field that cannot be rendered is left out and reported as an issue. Without a title it uses the
 * trigger's title. If a text costs too much and no other one is left, the message shows the values of the output in a plain
 * form, which is always cheap: an alert is never lost because of its template. The severity comes first, so that texts that
 * cost too much do not make an alert less serious.
 */
export function renderMessage(
  templates: Templates,
  context: MessageContext,
  { addressBook, network, publicUrl = '' }: MessageOptions = {},
): RenderedMessage {
  const issues: string[] = []
  const steps = makeSteps(stepsMax)
  const options = { steps, outputMax, ...(addressBook && { addressBook }), ...(network && { network }) }
  let isPlain = false
  const render = (name: string, template: string): string => {
    if (!template.includes('{{')) return template.slice(0, outputMax)
    const rendered = renderTemplate(template, context, options)
    if (rendered.ok) return rendered.text
    issues.push(`${name} ${rendered.issue}`)
    isPlain ||= rendered.isOverBudget
    return ''
  }
  const severity = severityOf(templates.severity === undefined ? 'info' : render('severity', templates.severity))
  const title = render('title', templates.title ?? '').trim()
  const message: Message = { title: title === '' ? context.meta.title : title }
  for (const field of textFields) {
    const text = templates[field] === undefined ? '' : render(field, templates[field])
    if (text.trim() !== '') message[field] = text
  }
  if (isPlain && message.short === undefined && message.long === undefined) message.short = plainText(context.raw)
  for (const field of imageFields) {
    const text = templates[field] === undefined ? '' : render(field, templates[field])
    const url = text.trim()
    if (url !== '') message[field] = uploadPath.test(url) ? `${publicUrl}${url}` : text
  }
  if (templates.links) addLinks(message, templates.links, render)
  if (severity.issue !== undefined) issues.push(severity.issue)
  return { message, severity: severity.value, issues }
}

/** Only web links: data from the chain must not become a link that runs something. */
function addLinks(
  message: Message,
  links: NonNullable<Templates['links']>,
  render: (name: string, template: string) => string,
): void {
  const rendered = links.map(({ title, url }) => ({ title: render('links', title), url: render('links', url).trim() }))
  const usable = rendered.filter(({ url }) => isWebAddress(url))
  if (usable.length > 0) message.links = usable
}

function severityOf(text: string): { value: Severity; issue?: string } {
  const known = Severity.options.find((option) => option === text.trim())
  if (known !== undefined) return { value: known }
  const shown = JSON.stringify(text.trim().slice(0, 100))
  return {
    value: 'info',
    issue: `severity rendered to ${shown}, which is not ${Severity.options.join(', ')}; it is info`,
  }
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
