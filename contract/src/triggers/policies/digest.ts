import * as z from 'zod'
import { isTimeZone, parseCron } from '../cron-fields.ts'
import { periodWords } from '../durations.ts'
import { timerWords } from '../timer-words.ts'
import { Period } from './amounts.ts'
import { isGiven, type PolicyFields, type PolicyRecord, said } from './record.ts'

/** Five cron fields: `0 9 * * 1-5`. */
const CronTime = z
  .string()
  .max(200)
  .superRefine((text, context) => {
    const parsed = parseCron(text.trim().split(/\s+/))
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message })
  })
const TimeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'must be a time zone of the IANA database, such as Europe/Paris')

const schema = z
  .object({
    type: z.literal('digest'),
    every: Period.optional().describe('How long a digest collects, from its first alert on, such as `1h`.'),
    at: CronTime.optional().describe('When a digest is sent, as five cron fields, such as `0 9 * * 1-5`.'),
    timezone: TimeZone.optional(),
    max: z.number().int().min(1).max(1000).optional().describe('How many alerts a digest lists.'),
  })
  .superRefine(({ every, at, timezone }, context) => {
    if (every === undefined && at === undefined)
      context.addIssue({ code: 'custom', path: ['every'], message: 'give either every or at' })
    else if (every !== undefined && at !== undefined)
      context.addIssue({ code: 'custom', path: ['at'], message: 'give either every or at' })
    if (timezone !== undefined && at === undefined)
      context.addIssue({ code: 'custom', path: ['timezone'], message: 'is only for a digest with at' })
  })

/**
 * One message for all outputs of a period, which begins with the first of them: `every` long, or until the next time `at`.
 * It lists at most `max` of them and counts the others.
 */
export const digest = {
  type: 'digest',
  schema,
  title: 'Digest',
  about: 'Matches are collected and sent as one message, such as every morning.',
  words: (fields) =>
    `${rhythmWords(fields)}${isGiven(fields.max) ? `, with at most ${fields.max} matches listed` : ''}`,
  form: [
    {
      as: 'alternative',
      name: 'rhythm',
      label: 'When',
      options: [
        {
          value: 'every',
          label: 'A while after the first match',
          fields: [
            {
              name: 'every',
              as: 'text',
              label: 'Interval',
              description: 'A duration, such as 15m, 1h or 1d.',
              placeholder: '1h',
              suggestion: '1h',
            },
          ],
        },
        {
          value: 'at',
          label: 'At set times',
          fields: [
            {
              name: 'at',
              as: 'text',
              label: 'Time',
              description: 'Five cron fields (minute, hour, day of month, month, day of week), such as 0 9 * * 1-5.',
              placeholder: '0 9 * * *',
              suggestion: '0 9 * * *',
            },
            {
              name: 'timezone',
              as: 'text',
              label: 'Time zone',
              description: 'A name such as Europe/Berlin. Leave empty for UTC.',
              placeholder: 'UTC',
            },
          ],
        },
      ],
    },
    {
      name: 'max',
      as: 'number',
      label: 'Listed matches',
      description: 'Optional, 1 to 1,000. The digest lists so many at most, and counts the others.',
      min: 1,
      max: 1000,
    },
  ],
} as const satisfies PolicyRecord

/** “in a digest every day at 09:00 (Europe/Berlin)”. */
function rhythmWords({ every, at, timezone }: PolicyFields): string {
  if (!isGiven(at)) return `in a digest every ${periodWords(said(every))}`
  const words = timerWords(String(at), isGiven(timezone) ? String(timezone) : undefined)
  return `in a digest ${words.slice(0, 1).toLowerCase()}${words.slice(1)}`
}
