import { isObject } from '../../../forms/json.ts'

/** A message as a channel shows it, read from the body that the service would send there. */
export type ShownMessage = {
  title: string
  text: string
  links: { title: string; url: string }[]
  /** A small line at the end. */
  footer?: string
}

/** `kind` is the last part of the blueprint. Undefined for a body that is not one message, such as JSON. */
export function readBody(kind: string, body: unknown): ShownMessage | undefined {
  if (!isObject(body)) return undefined
  switch (kind) {
    case 'telegram':
      return readTelegram(isObject(body.fields) ? body.fields : {})
    case 'discord':
      return readDiscord(listOf(body.embeds)[0] ?? {})
    case 'slack':
      return readSlack(listOf(body.blocks))
    case 'email':
      return readEmail(body)
    default:
      return undefined
  }
}

/** Telegram shows the title in bold, then the text; links are buttons. */
function readTelegram({ text, caption, reply_markup }: Record<string, unknown>): ShownMessage {
  const html = textOf(text ?? caption)
  const [, title = '', rest = ''] = /^<b>(.*?)<\/b>\s*(.*)$/s.exec(html) ?? ['', '', html]
  const rows = isObject(reply_markup) && Array.isArray(reply_markup.inline_keyboard) ? reply_markup.inline_keyboard : []
  const links = listOf(rows.flat()).map((button) => ({ title: textOf(button.text), url: textOf(button.url) }))
  return { title: fromHtml(title), text: fromHtml(rest), links }
}

function readDiscord({ title, description, fields, footer }: Record<string, unknown>): ShownMessage {
  const listed = textOf(listOf(fields)[0]?.value)
  const links = [...listed.matchAll(/\[(.+?)\]\(([^)\s]+)\)/g)].map(([, name = '', url = '']) => ({
    title: fromMarkdown(name),
    url,
  }))
  const shown = { title: fromMarkdown(textOf(title)), text: fromMarkdown(textOf(description)), links }
  return isObject(footer) ? { ...shown, footer: textOf(footer.text) } : shown
}

function readSlack(blocks: Record<string, unknown>[]): ShownMessage {
  const textIn = (block: Record<string, unknown> | undefined) => (isObject(block?.text) ? textOf(block.text.text) : '')
  const isLinks = (block: Record<string, unknown>) => isObject(block.text) && block.text.type === 'mrkdwn'
  const sections = blocks.filter(({ type }) => type === 'section')
  const links = [...textIn(sections.find(isLinks)).matchAll(/<([^|>]+)\|([^>]*)>/g)].map(
    ([, url = '', title = '']) => ({
      title: fromHtml(title),
      url,
    }),
  )
  const context = blocks.find(({ type }) => type === 'context')
  return {
    title: fromHtml(textIn(blocks.find(({ type }) => type === 'header'))),
    text: fromHtml(textIn(sections.find((block) => !isLinks(block)))),
    links,
    footer: fromHtml(textOf(listOf(context?.elements)[0]?.text)),
  }
}

/** The text part of a mail repeats the subject and ends with a signature. */
function readEmail({ subject, text }: Record<string, unknown>): ShownMessage {
  const title = textOf(subject)
  const [content = '', footer = ''] = textOf(text).split('\n\n-- \n')
  const body = content.startsWith(title) ? content.slice(title.length).trim() : content
  return { title, text: body, links: [], footer }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function fromHtml(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole)
}

function fromMarkdown(text: string): string {
  return text.replaceAll(/\\([^\w\s])/g, '$1')
}
