/** What people read of an output: the trigger's templates, or the subscription's in their place, filled in. */
import type { Defaults, Message, Overrides } from '@tocsin/contract'
import { type RenderOptions, renderTemplate } from '../render/index.ts'
import type { MessageContext } from './context.ts'

export { type AddressEntry, makeAddressBook, mayUseAddresses } from './address-book.ts'
export { type MessageContext, messageContext } from './context.ts'
export { digestMessage } from './digest.ts'

export type Templates = Omit<Defaults, 'delivery'>
export type RenderedMessage = { message: Message; issues: string[] }

const limits = { stepsMax: 50_000, outputMax: 20_000 }
const texts = ['short', 'long'] as const
const pictures = ['icon', 'cover', 'avatar'] as const
/** The address of an upload, as the service answers it. */
const uploadPath = /^\/api\/(?:projects\/[^/?#]+\/images|workspaces\/[^/?#]+\/avatar)\/[^/?#]+$/

export type MessageOptions = {
  addressBook?: RenderOptions['addressBook'] | undefined
  /** Where people reach the service. A receiver cannot load a picture without it. */
  publicUrl?: string | undefined
}

/** What a subscription writes itself stands in for the trigger's, field by field. */
export function templatesOf(defaults: unknown, overrides: Overrides): Templates {
  const { delivery: _delivery, ...texts } = (defaults ?? {}) as Defaults
  return { ...texts, ...overrides }
}

/** Always a message: what cannot be rendered is left out and told, and without a title the trigger's own is taken. */
export function renderMessage(
  templates: Templates,
  context: MessageContext,
  { addressBook, publicUrl = '' }: MessageOptions = {},
): RenderedMessage {
  const issues: string[] = []
  const options = { ...limits, ...(addressBook && { addressBook }) }
  const show = (name: string, template: string): string => {
    if (!template.includes('{{')) return template.slice(0, limits.outputMax)
    const rendered = renderTemplate(template, context, options)
    if (rendered.ok) return rendered.text
    issues.push(`${name} ${rendered.issue}`)
    return ''
  }
  const title = show('title', templates.title ?? '').trim()
  const message: Message = { title: title === '' ? context.meta.title : title }
  for (const field of [...texts, ...pictures]) {
    const text = templates[field] === undefined ? '' : show(field, templates[field])
    if (text.trim() !== '') message[field] = text
  }
  for (const field of pictures) {
    const url = message[field]?.trim() ?? ''
    if (uploadPath.test(url)) message[field] = `${publicUrl}${url}`
  }
  const links = (templates.links ?? []).map((link) => ({
    title: show('links', link.title),
    url: show('links', link.url).trim(),
  }))
  const usable = links.filter(({ url }) => isWebAddress(url))
  if (usable.length > 0) message.links = usable
  return { message, issues }
}

/** A link is for people to press: what stands on chain cannot make it run something. */
function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
