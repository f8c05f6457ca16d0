import { expect, test } from 'vitest'
import { readBody } from './read-body.ts'

const link = { title: 'Open', url: 'https://e.example/1' }

test.each([
  [
    'telegram',
    {
      method: 'sendMessage',
      fields: {
        text: '<b>5 &lt; 6</b>\n\nMoved &amp; gone',
        reply_markup: { inline_keyboard: [[{ text: 'Open', url: link.url }]] },
      },
    },
    { title: '5 < 6', text: 'Moved & gone', links: [link] },
  ],
  [
    'discord',
    {
      embeds: [
        {
          title: '5 \\< 6',
          description: 'Moved \\*now\\*',
          fields: [{ name: 'Links', value: `[Open](${link.url})` }],
          footer: { text: 'acme.pay.t' },
        },
      ],
    },
    { title: '5 < 6', text: 'Moved *now*', links: [link], footer: 'acme.pay.t' },
  ],
  [
    'slack',
    {
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: '5 &lt; 6' } },
        { type: 'section', text: { type: 'plain_text', text: 'Moved' } },
        { type: 'section', text: { type: 'mrkdwn', text: `<${link.url}|Open>` } },
        { type: 'context', elements: [{ type: 'plain_text', text: 'acme.pay.t' }] },
      ],
    },
    { title: '5 < 6', text: 'Moved', links: [link], footer: 'acme.pay.t' },
  ],
  [
    'email',
    { subject: '5 < 6', text: '5 < 6\n\nMoved\n\nOpen: https://e.example/1\n\n-- \nacme.pay.t', html: '' },
    { title: '5 < 6', text: 'Moved\n\nOpen: https://e.example/1', links: [], footer: 'acme.pay.t' },
  ],
  ['webhook', { type: 'alert' }, undefined],
])('the body of %s becomes the message that people see there', (kind, body, shown) => {
  expect(readBody(kind, body)).toEqual(shown)
})
