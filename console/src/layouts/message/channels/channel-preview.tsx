import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { BellMark } from '../../../components/first-icons.tsx'
import { JsonView } from '../../../components/json-view.tsx'
import { ChannelGlyph } from '../../../components/patterns/channel-glyph.tsx'
import { kindOf } from '../../destination/blueprints.ts'
import classes from './channels.module.css'
import { readBody, type ShownMessage } from './read-body.ts'

export type ChannelBody = { blueprint: string; body?: unknown }

const titles: Readonly<Record<string, string>> = {
  telegram: 'Telegram',
  discord: 'Discord',
  slack: 'Slack',
  email: 'E-mail',
  webhook: 'Webhook',
}
const order = Object.keys(titles)

type ChannelPreviewProps = {
  channels: readonly ChannelBody[]
  /** The message as the feed of the console shows it. It is the first tab. */
  inApp?: ReactNode
}

/** A message as each channel shows it, from the bodies that the service would send. */
export function ChannelPreview({ channels, inApp }: ChannelPreviewProps) {
  const known = channels
    .map(({ blueprint, body }) => ({ kind: kindOf(blueprint), body }))
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  return (
    <Tabs defaultValue={inApp ? 'app' : (known[0]?.kind ?? null)} keepMounted={false}>
      <Tabs.List aria-label="Channels" className={classes.tabs}>
        {inApp && (
          <Tabs.Tab value="app" leftSection={<BellMark size={16} />} className={classes.tab}>
            App
          </Tabs.Tab>
        )}
        {known.map(({ kind }) => (
          <Tabs.Tab
            key={kind}
            value={kind}
            leftSection={<ChannelGlyph kind={kind} size={16} />}
            className={classes.tab}
          >
            {titles[kind] ?? kind}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {inApp && (
        <Tabs.Panel value="app" pt="sm">
          {inApp}
        </Tabs.Panel>
      )}
      {known.map(({ kind, body }) => (
        <Tabs.Panel key={kind} value={kind} pt="sm">
          <Shown kind={kind} body={body} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function Shown({ kind, body }: { kind: string; body: unknown }) {
  const message = readBody(kind, body)
  if (!message) return <JsonView value={body} label={`body for ${titles[kind] ?? kind}`} maxHeight={320} />
  return (
    <article className={classes.ground} data-kind={kind} aria-label={`Message in ${titles[kind] ?? kind}`}>
      <Bubble message={message} isMail={kind === 'email'} />
    </article>
  )
}

function Bubble({ message: { title, text, links, footer }, isMail }: { message: ShownMessage; isMail: boolean }) {
  return (
    <div className={classes.bubble}>
      <div className={classes.title}>
        {isMail && <span className={classes.label}>Subject: </span>}
        {title}
      </div>
      {text !== '' && <div className={classes.text}>{text}</div>}
      {links.length > 0 && (
        <div className={classes.links}>
          {links.map((link) => (
            <span key={`${link.title} ${link.url}`} className={classes.link} title={link.url}>
              {link.title}
            </span>
          ))}
        </div>
      )}
      {footer && <div className={classes.footer}>{footer}</div>}
    </div>
  )
}
