import * as z from 'zod'
import { jsonTemplate, whyNotJson } from '../../engine/destinations/index.ts'
import { parseTemplate } from '../../engine/render/index.ts'

/** What a webhook resource adds to its requests: headers, and a body of its own. */

const headersMax = 32
const name = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/
const value = /^[\t\x20-\x7e]*$/
/** The service sets these itself, or they belong to the connection. */
const reserved =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|webhook-(?:id|timestamp|signature))$/i

export const WebhookHeaders = z
  .record(z.string(), z.string().max(4096).regex(value, 'must be one line of printable ASCII characters'))
  .superRefine((headers, context) => {
    const names = Object.keys(headers)
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (names.length > headersMax) refuse([], `must have at most ${headersMax} headers`)
    for (const [at, given] of names.entries()) {
      if (!name.test(given)) refuse([given], 'must be the name of an HTTP header')
      if (reserved.test(given)) refuse([given], 'is set by the service')
      const isRepeated = names.slice(0, at).some((other) => other.toLowerCase() === given.toLowerCase())
      if (isRepeated) refuse([given], 'is given twice')
    }
  })

/** A template that renders to JSON. One without tags is checked at once. */
export const WebhookBody = z
  .string()
  .min(1)
  .max(20_000)
  .superRefine((text, context) => {
    const parsed = parseTemplate(jsonTemplate(text))
    const problem = text.includes('{{') ? undefined : whyNotJson(text)
    const messages = parsed.ok ? [] : parsed.messages
    for (const message of [...messages, ...(problem === undefined ? [] : [`is not JSON: ${problem}`])])
      context.addIssue({ code: 'custom', message })
  })
