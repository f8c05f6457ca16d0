import type { FastifyInstance } from 'fastify'
import { pauseByToken } from '../domain/subscriptions/unsubscribe.ts'
import type { Store } from '../store/index.ts'
import { acceptForms } from './forms.ts'
import { sendPage } from './plain-page.ts'

/**
 * The page for the unsubscribe link of an e-mail. Opening it changes nothing, because mail scanners open every link;
 * its button does.
 */
export function addUnsubscribePage(app: FastifyInstance, store: Store, clock: () => Date): void {
  app.get<TokenRoute>('/api/unsubscribe/:token', async (request, reply) =>
    sendPage(reply, question(request.params.token)),
  )
  acceptForms(app, (forms) => {
    forms.post<TokenRoute>('/api/unsubscribe/:token/page', async (request, reply) => {
      await pauseByToken(store, request.params.token, { ip: request.ip, now: clock() })
      return sendPage(reply, answer)
    })
  })
}

type TokenRoute = { Params: { token: string } }

const question = (token: string) => `<h1>Pause this subscription?</h1>
<p>You will get no more messages from it until it is resumed in the console.</p>
<form method="post" action="${encodeURIComponent(token)}/page"><button>Pause</button></form>`
const answer = '<h1>Paused</h1><p>You will get no more messages from this subscription.</p>'
