import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { BellMark } from '../../../components/first-icons.tsx'
import { JsonView } from '../../../components/json-view.tsx'
import type { Body } from '../../../data/api.ts'
import { kindOf, titleOf, useBlueprints } from '../../destination/blueprints.ts'
import { ChannelGlyph } from '../../destination/channel-glyph.tsx'
import classes from './channels.module.css'

type Preview = Body<'previewMessage'>['channels'][number]

type ChannelPreviewProps = {
  channels: readonly Preview[]
  /** The message as the feed of the console shows it. It is the first tab. */
  inApp?: ReactNode
}

/** A message as each channel shows it. The body of a channel for programs is shown as JSON. */
export function ChannelPreview({ channels, inApp }: ChannelPreviewProps) {
  const { items: blueprints } = useBlueprints()
  const first = inApp ? 'app' : (channels[0]?.blueprint ?? null)
  return (
    <Tabs defaultValue={first} keepMounted={false}>
      <Tabs.List aria-label="Channels" className={classes.tabs}>
        {inApp && (
          <Tabs.Tab value="app" leftSection={<BellMark size={16} />} className={classes.tab}>
            App
          </Tabs.Tab>
        )}
        {channels.map(({ blueprint }) => (
          <Tabs.Tab
            key={blueprint}
            value={blueprint}
            leftSection={<ChannelGlyph blueprint={blueprint} size={16} />}
            className={classes.tab}
          >
            {titleOf(blueprint, blueprints)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {inApp && (
        <Tabs.Panel value="app" pt="sm">
          {inApp}
        </Tabs.Panel>
      )}
      {channels.map((preview) => (
        <Tabs.Panel key={preview.blueprint} value={preview.blueprint} pt="sm">
          <Shown preview={preview} title={titleOf(preview.blueprint, blueprints)} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** Some channels have a look of their own, by `data-kind`. All others have a plain bubble. */
function Shown({ preview: { blueprint, body, shown }, title }: { preview: Preview; title: string }) {
  const colour = useBlueprints().items.find(({ fullname }) => fullname === blueprint)?.glyph.colour
  if (!shown) return <JsonView value={body} label={`body for ${title}`} maxHeight={320} />
  return (
    <article className={classes.ground} data-kind={kindOf(blueprint)} aria-label={`Message in ${title}`}>
      <Bubble message={shown} colour={colour} isMail={kindOf(blueprint) === 'email'} />
    </article>
  )
}

type BubbleProps = { message: NonNullable<Preview['shown']>; colour: string | undefined; isMail: boolean }

function Bubble({ message: { title, text, links, footer }, colour, isMail }: BubbleProps) {
  return (
    <div className={classes.bubble} style={{ borderColor: colour }}>
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
