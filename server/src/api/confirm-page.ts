import { errorTable } from '@tocsin/contract'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import { confirmByToken } from '../domain/resources/confirmation.ts'
import { escapeHtml } from '../engine/destinations/html.ts'
import type { Store } from '../store/index.ts'
import { acceptForms } from './forms.ts'
import { sendPage } from './plain-page.ts'

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
