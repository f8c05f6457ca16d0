import * as z from 'zod'
import { cutText } from '../base/clean-text.ts'
import type { Delivery, Destination, DestinationDeps, Sent, Target } from './destination.ts'
import { escapeHtml } from './html.ts'
import { messageOf } from './read-message.ts'
import { type SafeMessage, type Shown, safeMessage } from './safe-text.ts'

const subjectMax = 200
const bodyMax = 20_000

/** Sends text and HTML over SMTP. A reader can pause the subscription with one click. */
export const email: Destination = {
  blueprint: 'common.delivery.email',
  title: 'E-mail',
  description: 'Sends e-mail to an address that its owner has confirmed through a link.',
  glyph: { icon: 'mail', colour: '#52606d' },
  // The configuration refuses one of the two without the other.
  missing: ({ mail }) => (mail ? [] : ['SMTP_URL', 'MAIL_FROM']),
  external: false,
  data: z.looseObject({
    to: z.email('must be an e-mail address').max(254).describe('The address that receives the e-mail'),
  }),
  secrets: [],
  needsConfirmation: true,
  ordered: true,
  atOnce: 1,
  limits: ({ data }, { rates }) => [
    { key: `email ${data.to}`, everyMs: 60_000 / rates.emailPerMinute, burst: rates.emailPerMinute },
  ],
  preview(message, context) {
    const parts = partsOf({ kind: 'alert', message, context })
    const { title, body: text, links, footer } = parts
    return { body: contentOf(parts), shown: { title, text, links, footer } }
  },
  send: post,
  retract: post,
}

async function post(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent> {
  const { mail, unsubscribeUrl } = deps
  if (!mail) return { kind: 'never', reason: 'The operator has not configured an SMTP server.' }
  const { alertId, subscription, resolves, repeat } = delivery.context
  const pauseUrl = subscription === undefined ? undefined : unsubscribeUrl(subscription)
  const isRetraction = delivery.kind === 'retraction'
  const repliesTo = isRetraction || repeat !== undefined ? alertId : resolves
  const suffix = isRetraction ? '.retracted' : repeat === undefined ? '' : `.repeat${repeat}`
  try {
    await mail.send({
      to: String(target.data.to),
      ...contentOf(partsOf({ ...delivery, message: messageOf(delivery) }), pauseUrl),
      messageId: `<${alertId}${suffix}@${mail.host}>`,
      ...(repliesTo !== undefined && { inReplyTo: `<${repliesTo}@${mail.host}>` }),
      headers: headersOf(delivery, pauseUrl),
    })
    return { kind: 'sent' }
  } catch (error) {
    return sentFromSmtp(error)
  }
}

function headersOf({ context }: Delivery, pauseUrl: string | undefined): Record<string, string> {
  return {
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    'X-Alert-Id': context.alertId,
    'X-Alert-Severity': context.severity,
    ...(pauseUrl !== undefined && {
      'List-Unsubscribe': `<${pauseUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  }
}

function partsOf(shown: Shown): SafeMessage {
  const safe = safeMessage(shown)
  return { ...safe, title: cutText(safe.title, subjectMax), body: cutText(safe.body, bodyMax) }
}

function contentOf(parts: SafeMessage, pauseUrl?: string) {
  const { title, body, links, footer } = parts
  const text = [
    title,
    body,
    ...links.map((link) => `${link.title}: ${link.url}`),
    `-- \n${footer}${pauseUrl === undefined ? '' : `\nPause this subscription: ${pauseUrl}`}`,
  ]
  return { subject: title, text: text.filter(Boolean).join('\n\n'), html: emailHtml(parts, pauseUrl) }
}

/** Reads SMTP codes: 4xx may pass, 5.1.x means an invalid address, other 5xx refuse the message. */
function sentFromSmtp(error: unknown): Sent {
  const { responseCode, response } = error as { responseCode?: unknown; response?: unknown }
  if (typeof responseCode !== 'number' || responseCode < 400)
    return { kind: 'later', reason: 'The SMTP server could not be reached.' }
  const firstLine = typeof response === 'string' ? response.split('\n')[0]?.slice(0, 200) : ''
  const reason = `The SMTP server answered ${firstLine || responseCode}`
  if (responseCode < 500) return { kind: 'later', reason, status: responseCode }
  // The service's own sign-in failed. The operator must fix it, so messages are retried.
  if ([530, 534, 535, 538].includes(responseCode)) return { kind: 'later', reason, status: responseCode }
  const isInvalidAddress = /\b5\.1\.[0-9]\b/.test(String(response)) || responseCode === 551
  return { kind: isInvalidAddress ? 'gone' : 'never', reason, status: responseCode }
}

const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif'

/** Makes an HTML page with inline styles. `dir="auto"` gives each text the direction of its language. */
function emailHtml({ title, body, links, cover, footer }: SafeMessage, pauseUrl?: string): string {
  const parts = [
    `<h1 dir="auto" style="font-size:20px;margin:0 0 16px">${escapeHtml(title)}</h1>`,
    cover === undefined ? '' : `<p><img src="${escapeHtml(cover)}" alt="" style="max-width:100%;border:0"></p>`,
    body === '' ? '' : `<p dir="auto" style="white-space:pre-wrap;margin:0 0 16px">${escapeHtml(body)}</p>`,
    ...links.map(linkParagraph),
    `<hr style="border:0;border-top:1px solid #ddd;margin:24px 0 8px">`,
    `<p style="color:#777;font-size:12px">${escapeHtml(footer)}${pauseUrl === undefined ? '' : pauseLink(pauseUrl)}</p>`,
  ]
  const page = `<div style="${font};font-size:15px;line-height:1.5;max-width:600px">${parts.filter(Boolean).join('\n')}</div>`
  return `<!doctype html>\n<html><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body>${page}</body></html>`
}

function linkParagraph({ title, url }: { title: string; url: string }): string {
  return `<p dir="auto" style="margin:0 0 8px"><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></p>`
}

function pauseLink(pauseUrl: string): string {
  return ` · <a href="${escapeHtml(pauseUrl)}" style="color:#777">Pause this subscription</a>`
}
