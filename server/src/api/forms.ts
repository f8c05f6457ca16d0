import type { FastifyInstance } from 'fastify'

const formBytesMax = 16 * 1024
const types = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']

/** Routes that a page or a mail program posts a form to. What stands in the form is not read; elsewhere forms are refused. */
export function takeForms(app: FastifyInstance, bind: (forms: FastifyInstance) => void): void {
  app.register(async (forms) => {
    forms.addContentTypeParser(types, { parseAs: 'buffer', bodyLimit: formBytesMax }, async () => undefined)
    bind(forms)
  })
}
