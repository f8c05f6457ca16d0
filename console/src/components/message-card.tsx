import { Anchor, Group, Text } from '@mantine/core'
import type { Message } from '@tocsin/contract'
import type { ReactNode } from 'react'
import { IconExternal } from './icons.tsx'
import classes from './message-card.module.css'
import { isSameOrigin, Picture } from './picture.tsx'

type MessageCardProps = {
  message: Message
  /** How to show a text, such as with names for its addresses. */
  showText?: (text: string) => ReactNode
  /** False if the page shows the title already. */
  hasTitle?: boolean
}

/** A message as the receiver reads it. Images of other origins are not loaded. */
export function MessageCard({ message, showText = (text) => text, hasTitle = true }: MessageCardProps) {
  const { title, long, icon, cover, links } = message
  // The long text often begins with the short one.
  const short = long?.startsWith(message.short ?? '') ? undefined : message.short
  return (
    <article className={classes.card} aria-label={`Message: ${title}`}>
      {isSameOrigin(cover) && <img className={classes.cover} src={cover} alt="" loading="lazy" />}
      <div className={classes.body}>
        {isSameOrigin(icon) && <Picture url={icon} name={title} size={32} />}
        <div className={classes.words}>
          {(hasTitle || !(short || long)) && <strong>{showText(title)}</strong>}
          {short && <Text className={classes.text}>{showText(short)}</Text>}
          {long && (
            <Text className={classes.text} {...(short && { c: 'dimmed' })}>
              {showText(long)}
            </Text>
          )}
          {links && links.length > 0 && (
            <Group gap="md" mt={6}>
              {links.map((link) => (
                <Anchor key={`${link.title} ${link.url}`} href={link.url} target="_blank" rel="noopener noreferrer">
                  {link.title} <IconExternal size={13} />
                </Anchor>
              ))}
            </Group>
          )}
        </div>
      </div>
    </article>
  )
}
