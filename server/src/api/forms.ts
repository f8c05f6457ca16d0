import type { FastifyInstance } from 'fastify'

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
