import type { FastifyInstance, FastifyReply } from 'fastify'
import { pauseByToken } from '../domain/subscriptions/unsubscribe.ts'
import type { Store } from '../store/index.ts'
import { takeForms } from './forms.ts'

/**
 * What people see who follow the link in an e-mail. Opening it changes nothing, since mail scanners open every link;
 * the button does.
 */
export function addUnsubscribePage(app: FastifyInstance, store: Store, clock: () => Date): void {
  app.get<Asked>('/api/unsubscribe/:token', async (request, reply) => sendPage(reply, question(request.params.token)))
  takeForms(app, (forms) => {
    forms.post<Asked>('/api/unsubscribe/:token/page', async (request, reply) => {
      await pauseByToken(store, request.params.token, clock())
      return sendPage(reply, answer)
    })
  })
}

type Asked = { Params: { token: string } }

const question = (token: string) => `<h1>Pause this subscription?</h1>
<p>You will get no more messages from it until it is resumed in the console.</p>
<form method="post" action="${encodeURIComponent(token)}/page"><button>Pause</button></form>`
const answer = '<h1>Paused</h1><p>You will get no more messages from this subscription.</p>'

function sendPage(reply: FastifyReply, content: string): FastifyReply {
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
