import type { Message } from '@tocsin/contract'
import type { OutboundResponse } from '../outbound/door.ts'
import { sentFromAnswer, sentFromError } from './answers.ts'
import type { AlertContext, Delivery, Destination, DestinationDeps, Sent, Target } from './destination.ts'
import { readJson } from './read-json.ts'
import { messageOf } from './read-message.ts'
import {
  cleanLine,
  cutEscaped,
  cutText,
  disableMentions,
  retractionNote,
  type SafeLink,
  safeMessage,
} from './safe-text.ts'

const timeoutMs = 15_000
const answerBytesMax = 16 * 1024
const titleMax = 256
const bodyMax = 4096
const fieldMax = 1024
const footerMax = 255
/** The stripe beside the embed. */
const colours = { info: {}, warning: { color: 0xf08c00 }, critical: { color: 0xe03131 }, resolved: { color: 0x2f9e44 } }

/** Sends an embed through an incoming webhook of a channel. Mentions in a message have no effect. */
export const discord: Destination = {
  blueprint: 'common.delivery.discord',
  ordered: true,
  atOnce: 1,
  // Discord allows five messages in two seconds for each webhook.
  limits: ({ data }) => [{ key: `discord ${data.url}`, everyMs: 400, burst: 5 }],
  preview: (message, context) => bodyOf(message, context, 'alert'),
  send: (delivery, target, deps) =>
    delivery.context.state === 'resolved' ? edit(delivery, target, deps) : post(delivery, target, deps),
  retract: (delivery, target, deps) => edit(delivery, target, deps),
}

async function post(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent> {
  const url = new URL(String(target.data.url))
  // With `wait` Discord answers with the message, whose id a retraction needs.
  url.searchParams.set('wait', 'true')
  const { context, kind, reason } = delivery
  return call(url, 'POST', bodyOf(messageOf(delivery), context, kind, reason), deps)
}

/** A retraction changes the message of its alert, and a resolved alert that of the firing one. */
async function edit(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent> {
  const id = delivery.reference?.messageId
  if (typeof id !== 'string') return post(delivery, target, deps)
  const url = new URL(String(target.data.url))
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/messages/${encodeURIComponent(id)}`
  const { context, kind, reason } = delivery
  const sent = await call(url, 'PATCH', bodyOf(messageOf(delivery), context, kind, reason), deps)
  if (sent.kind !== 'gone' || sent.status !== 404) return sent
  // The message was deleted, so there is nothing to edit.
  return kind === 'retraction' ? { kind: 'sent', status: 404 } : post(delivery, target, deps)
}

async function call(url: URL, method: 'POST' | 'PATCH', body: object, deps: DestinationDeps): Promise<Sent> {
  const headers = { 'content-type': 'application/json' }
  const request = { method, headers, body: JSON.stringify(body), timeoutMs, responseBytesMax: answerBytesMax }
  try {
    return sentFromDiscord(await deps.door.post(url.href, request), url.host, deps.clock())
  } catch (error) {
    return sentFromError(error)
  }
}

function sentFromDiscord(response: OutboundResponse, host: string, now: Date): Sent {
  const { status } = response
  const answer = readJson(response.text)
  if (status >= 200 && status < 300)
    return { kind: 'sent', status, ...(typeof answer.id === 'string' && { reference: { messageId: answer.id } }) }
  if (status === 401 || status === 403 || status === 404)
    return {
      kind: 'gone',
      status,
      reason: `${host} answered ${status}: the webhook was deleted or is not allowed to post.`,
    }
  if (status === 400) return { kind: 'never', status, reason: `${host} refused the message.` }
  const sent = sentFromAnswer(response, host, now)
  const afterMs = typeof answer.retry_after === 'number' ? Math.ceil(answer.retry_after * 1000) : undefined
  return sent.kind === 'later' && afterMs !== undefined
    ? { ...sent, afterMs: Math.max(afterMs, sent.afterMs ?? 0) }
    : sent
}

function bodyOf(message: Message, context: AlertContext, kind: Delivery['kind'], reason?: string) {
  const { title, body, links, cover, icon } = safeMessage(message, kind, context)
  const isRetracted = kind === 'retraction'
  const text = isRetracted ? [retractionNote(reason), body].filter(Boolean).join('\n\n') : body
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cutEscaped(isRetracted ? `Retracted: ${title}` : title, titleMax, escapeMarkdown),
        ...(!isRetracted && colours[context.state === 'resolved' ? 'resolved' : context.severity]),
        ...(text !== '' && { description: cutEscaped(text, bodyMax, escapeMarkdown) }),
        ...(links[0] && { url: links[0].url }),
        ...(links.length > 0 && { fields: [{ name: 'Links', value: listed(links) }] }),
        ...(cover !== undefined && { image: { url: cover } }),
        ...(icon !== undefined && { thumbnail: { url: icon } }),
        footer: { text: cutText(cleanLine(context.trigger), footerMax) },
        timestamp: context.createdAt.toISOString(),
      },
    ],
  }
}

/** Lists whole links only: a cut link would lead elsewhere. */
function listed(links: readonly SafeLink[]): string {
  let lines = ''
  for (const { title, url } of links) {
    const encoded = url.replaceAll('(', '%28').replaceAll(')', '%29')
    const line = `[${cutEscaped(title, 100, escapeMarkdown)}](${encoded})`
    if (lines.length + line.length + 1 > fieldMax) break
    lines += lines === '' ? line : `\n${line}`
  }
  return lines || '–'
}

const address = /(https?:\/\/[^\s<>]+)/
const markup = /[\\*_~`|>#<[\]()@+-]/g

/** Escapes every markup character with a backslash. URLs stay unchanged, since Discord reads no markup in them. */
function escapeMarkdown(text: string): string {
  return text
    .split(address)
    .map((part, index) => (index % 2 === 1 ? part : disableMentions(part).replace(markup, '\\$&')))
    .join('')
}
