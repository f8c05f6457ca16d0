import * as z from 'zod'
import { For, Key, Pause } from './amounts.ts'
import { forInput, isGiven, keyInput, lasting, type PolicyRecord, perKey } from './record.ts'

/** Makes one alert when outputs came for `for`, and then none for `cooldown`. */
export const monitor = {
  type: 'monitor',
  schema: z.object({
    type: z.literal('monitor'),
    key: Key,
    for: For,
    cooldown: Pause.optional().describe('How long nothing is sent after an alert, such as `1h`.'),
  }),
  title: 'Sustained',
  about: 'One message when the condition has lasted for some time, then none until it ends.',
  words(fields) {
    const start = isGiven(fields.for) ? `when it has lasted ${lasting(fields.for)}` : 'when it starts'
    const pause = isGiven(fields.cooldown) ? `, then not again for ${lasting(fields.cooldown)}` : ''
    return `${start}${perKey(fields)}${pause}`
  },
  form: [
    forInput,
    {
      name: 'cooldown',
      as: 'text',
      label: 'Cooldown',
      description: 'The minimum time between two messages, such as 1h.',
      placeholder: '1h',
    },
    keyInput,
  ],
  needsUnmet: true,
} as const satisfies PolicyRecord
