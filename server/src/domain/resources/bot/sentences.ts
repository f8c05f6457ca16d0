import type { Refused } from '../setup-sessions.ts'

/** The bot's replies. They are plain text, so names need no escaping. */

const startAnew = 'Start a new setup in the console and open its link.'

export const refusals: Record<Refused['reason'], string> = {
  unknown: `I do not know this setup link. ${startAnew}`,
  used: `This setup link has been used already; each works once. ${startAnew}`,
  pending: `This setup has not been opened by you. ${startAnew}`,
  claimed: `This setup link has been used already; each works once. ${startAnew}`,
  completed: 'This setup is finished: the alerts go to the chat that was chosen. To change it, start a new setup.',
  cancelled: `This setup was cancelled in the console. ${startAnew}`,
  expired: `This setup has expired; a link is good for 15 minutes. ${startAnew}`,
  superseded: 'A newer setup of the same destination was started. Open the newest link.',
}

export const alreadyOpen = 'This setup link has been used already, by you. Your setup is still open.'

export function askWhere(username: string): string {
  return [
    'Where should the alerts go? Choose below.',
    '',
    `For a topic of a group: add me to the group and send /here@${username} inside the topic. That works in any group.`,
    'Until you have chosen, nothing changes.',
  ].join('\n')
}

export function confirmed(title: string, topic: string | undefined): string {
  const where = topic === undefined ? `“${title}”` : `the topic “${topic}” of “${title}”`
  return `Done. From now on the alerts go to ${where}.`
}

export const confirmedPrivate = 'Done. From now on the alerts come to this chat.'

export const obstacles = {
  unreachable: (username: string) =>
    `I cannot see that chat. Add me (@${username}) to it first, then choose it again. Nothing has changed.`,
  absent: (username: string) =>
    `I am not a member there. Add me (@${username}) first, then choose it again. Nothing has changed.`,
  silenced: () => 'I am not allowed to write there. Let me send messages, then choose it again. Nothing has changed.',
  unposting: () =>
    'I am not allowed to post to that channel. Make me an administrator who may post messages, then choose it again. Nothing has changed.',
  foreign: () =>
    'You are not a member of that chat who may post there, so I must not send alerts to it. Nothing has changed.',
}
export type Obstacle = keyof typeof obstacles
