import type { Message } from '@tocsin/contract'
import type { OutboundResponse } from '../outbound/door.ts'
import { sentFromAnswer, sentFromError } from './answers.ts'
import type { AlertContext, Delivery, Destination, DestinationDeps, HttpRequest, Sent, Target } from './destination.ts'
import { answerBytesMax } from './exchange.ts'
import { messageOf } from './read-message.ts'
import { cleanLine, cutEscaped, disableMentions, retractionNote, type SafeLink, safeMessage } from './safe-text.ts'

const timeoutMs = 15_000
const headerMax = 150
const sectionMax = 3000
const contextMax = 2000

/**
 * Sends blocks through an incoming webhook. The text of messages is plain_text, in which Slack reads no markup; only the links
 * are markup. A webhook cannot edit messages, so a retraction is a new message.
 */
export const slack: Destination = {
  blueprint: 'common.delivery.slack',
  ordered: true,
  atOnce: 1,
  limits: ({ data }) => [{ key: `slack ${data.url}`, everyMs: 1000, burst: 1 }],
  preview: (message, context) => bodyOf(message, context, 'alert'),
  send: post,
  retract: post,
  request: requestOf,
}

async function post(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent> {
  const { url, ...request } = requestOf(delivery, target)
  try {
    const response = await deps.door.post(url, { ...request, timeoutMs, responseBytesMax: answerBytesMax })
    return sentFromSlack(response, url, deps.clock())
  } catch (error) {
    return sentFromError(error)
  }
}

function requestOf(delivery: Delivery, target: Target): HttpRequest {
  const { context, kind, reason } = delivery
  const body = JSON.stringify(bodyOf(messageOf(delivery), context, kind, reason))
  return { method: 'POST', url: String(target.data.url), headers: { 'content-type': 'application/json' }, body }
}

function sentFromSlack(response: OutboundResponse, url: string, now: Date): Sent {
  const { host } = new URL(url)
  const { status, headers, text } = response
  const answer = { headers, text }
  if (status === 403 || status === 404 || status === 410)
    return {
      kind: 'gone',
      status,
      reason: `${host} answered ${status}: the webhook or its channel was deleted.`,
      answer,
    }
  if (status === 400) return { kind: 'never', status, reason: `${host} refused the message.`, answer }
  return sentFromAnswer(response, url, now)
}

function bodyOf(message: Message, context: AlertContext, kind: Delivery['kind'], reason?: string) {
  const { title, body, links, cover } = safeMessage(message, kind, context)
  const isRetracted = kind === 'retraction'
  const heading = isRetracted ? `Retracted: ${title}` : title
  const text = isRetracted ? retractionNote(reason) : body
  return {
    text: cutEscaped([heading, text].filter(Boolean).join('\n'), sectionMax, escapeSlack),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(heading, headerMax) },
      ...(text === '' ? [] : [{ type: 'section', text: plain(text, sectionMax) }]),
      ...(cover === undefined || isRetracted ? [] : [{ type: 'image', image_url: cover, alt_text: 'Cover' }]),
      ...(links.length === 0
        ? []
        : [{ type: 'section', text: { type: 'mrkdwn', verbatim: true, text: listed(links) } }]),
      { type: 'context', elements: [plain(cleanLine(context.trigger), contextMax)] },
    ],
  }
}

function plain(text: string, max: number) {
  return { type: 'plain_text', emoji: false, text: cutEscaped(text, max, escapeSlack) }
}

/** Lists whole links only. In `<url|title>` the characters `|` and `>` are delimiters. */
function listed(links: readonly SafeLink[]): string {
  let lines = ''
  for (const { title, url } of links) {
    const label = cutEscaped(title.replaceAll('|', '¦').replaceAll(/[*_~`]/g, ''), 100, escapeSlack)
    const line = `<${url.replaceAll('|', '%7C').replaceAll('>', '%3E')}|${label || 'Link'}>`
    if (lines.length + line.length + 1 > sectionMax) break
    lines += lines === '' ? line : `\n${line}`
  }
  return lines
}

/** Escapes Slack's three control characters, which also disables `<!channel>` and `<@user>`. */
function escapeSlack(text: string): string {
  return disableMentions(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
