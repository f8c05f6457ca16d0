import type { Message } from '@tocsin/contract'
import type { OutboundResponse } from '../outbound/door.ts'
import { sentFromAnswer, sentFromError } from './answers.ts'
import type { AlertContext, Delivery, Destination, DestinationDeps, Sent, Target } from './destination.ts'
import { messageOf } from './read-message.ts'
import { cleanLine, cutEscaped, retractionNote, type SafeLink, safeMessage, withoutMentions } from './safe-text.ts'

const timeoutMs = 15_000
const answerBytesMax = 1024
const headerMax = 150
const sectionMax = 3000
const contextMax = 2000

/**
 * Blocks through an incoming webhook. Text of messages stands in plain_text, where Slack reads no markup; links alone
 * are markup of ours. A webhook cannot edit, so a retraction is a message of its own.
 */
export const slack: Destination = {
  blueprint: 'common.delivery.slack',
  ordered: true,
  atOnce: 1,
  limits: ({ data }) => [{ key: `slack ${data.url}`, everyMs: 1000, burst: 1 }],
  preview: (message, context) => bodyOf(message, context, 'alert'),
  send: post,
  retract: post,
}

async function post(delivery: Delivery, target: Target, world: DestinationDeps): Promise<Sent> {
  const url = String(target.data.url)
  const { context, kind, reason } = delivery
  const body = JSON.stringify(bodyOf(messageOf(delivery), context, kind, reason))
  const headers = { 'content-type': 'application/json' }
  try {
    const response = await world.door.post(url, { headers, body, timeoutMs, responseBytesMax: answerBytesMax })
    return sentBySlack(response, new URL(url).host, world.clock())
  } catch (error) {
    return sentFromError(error)
  }
}

function sentBySlack(response: OutboundResponse, host: string, now: Date): Sent {
  const { status } = response
  if (status === 403 || status === 404 || status === 410)
    return { kind: 'gone', status, reason: `${host} answered ${status}: the webhook or its channel is gone.` }
  if (status === 400) return { kind: 'never', status, reason: `${host} did not take the message.` }
  return sentFromAnswer(response, host, now)
}

function bodyOf(message: Message, context: AlertContext, kind: Delivery['kind'], reason?: string) {
  const { title, body, links, cover } = safeMessage(message, kind)
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

/** Whole links only. In `<url|title>` the bar and the bracket end the parts. */
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

/** Three characters are Slack's own; with them go `<!channel>` and `<@user>`. */
function escapeSlack(text: string): string {
  return withoutMentions(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
