import * as z from 'zod'
import type { SetupState } from '../destination.ts'

/**
 * The number of a chat or the name of a public chat, as the Bot API takes them. This does not check that the bot may
 * post there.
 */
const ChatId = z.union([z.number().int(), z.string().regex(/^(?:-?\d{1,20}|@[A-Za-z]\w{2,31})$/)], {
  error: (issue) => (issue.input === undefined ? 'is required' : 'must be the number of a chat or its @name'),
})
const Name = z.string().optional()

/** The fields that may be submitted; other fields are ignored. */
export const telegramSubmission = z.object({
  chatId: ChatId,
  topicId: z.number().int().positive().optional(),
  title: Name,
  kind: Name,
  topic: Name,
})

export function telegramGuide(state: SetupState, link: string | undefined): string[] {
  if (state.kind === 'open') return ['**This resource has no Telegram destination yet.**', steps(link), bySubmitting]
  if (state.kind === 'off')
    return [
      `**This resource does not deliver.** ${sentenceOf(state.remark)}`,
      `Allow ${botOf(link)} to post to the chat again, or choose another chat:`,
      steps(link),
      bySubmitting,
    ]
  return [
    '**This resource has a Telegram destination.** There is nothing left to do.',
    'Submit another destination to replace it, or `{"transform": null}` to clear it.',
  ]
}

function botOf(link: string | undefined): string {
  return link === undefined ? 'the bot' : `[the bot](${link})`
}

function steps(link: string | undefined): string {
  return [
    `1. Add ${botOf(link)} to the group or channel that will receive the alerts, and allow it to post there. A private chat needs no preparation.`,
    '2. In the console, an owner of the workspace opens this resource and starts its setup.',
    '3. Open the link that is shown there within 15 minutes and choose the chat. For a topic of a group, send `/here` inside the topic.',
  ].join('\n')
}

const bySubmitting =
  'An app that knows the chat can submit it here instead: `{"transform": {"chatId": …, "topicId": …, "title": …, "kind": …, "topic": …}}`. Only `chatId` is required.'

function sentenceOf(remark: string): string {
  return /[.!?]$/.test(remark) ? remark : `${remark}.`
}
