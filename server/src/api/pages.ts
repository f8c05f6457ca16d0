import { errorTable } from '@tocsin/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import { confirmByToken } from '../domain/resources/confirmation.ts'
import { escapeHtml } from '../engine/destinations/html.ts'
import type { Store } from '../store/index.ts'

/**
 * The page for the link in a confirmation e-mail. Opening it changes nothing, because mail scanners open every link.
 */
export function addConfirmPage(app: FastifyInstance, store: Store, clock: () => Date): void {
  app.get<TokenRoute>('/api/confirm-email/:token', async (request, reply) =>
    sendPage(reply, question(request.params.token)),
  )
  acceptForms(app, (forms) => {
    forms.post<TokenRoute>('/api/confirm-email/:token/page', async (request, reply) => {
      try {
        await confirmByToken(store, request.params.token, { ip: request.ip, now: clock() })
        return sendPage(reply, answer)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return sendPage(
          reply.code(errorTable[error.code].status),
          `<h1>Not confirmed</h1><p>${escapeHtml(error.message)}</p>`,
        )
      }
    })
  })
}

type TokenRoute = { Params: { token: string } }

const question = (token: string) => `<h1>Get alerts at this address?</h1>
<p>If you did not expect this, close the page: you will get no alerts.</p>
<form method="post" action="${encodeURIComponent(token)}/page"><button>Confirm</button></form>`
const answer =
  '<h1>Confirmed</h1><p>Alerts can now be sent to your address. Every e-mail has a link that stops them.</p>'

/** A small page of the API for links in e-mails: no script, no outside request, not cached. */
export function sendPage(reply: FastifyReply, content: string): FastifyReply {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('content-security-policy', policy)
    .send(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Tocsin</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:32em;margin:4em auto;padding:0 1em}</style>
</head><body>${content}</body></html>`)
}

const formBytesMax = 16 * 1024
const types = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']

/**
 * For routes that a page or a mail program posts a form to. The content of the form is not read. All other routes
 * refuse forms.
 */
export function acceptForms(app: FastifyInstance, bind: (forms: FastifyInstance) => void): void {
  app.register(async (forms) => {
    forms.addContentTypeParser(types, { parseAs: 'buffer', bodyLimit: formBytesMax }, async () => undefined)
    bind(forms)
  })
}
