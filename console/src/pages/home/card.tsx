import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { LinkText } from '../../components/links.tsx'
import classes from './home.module.css'

type CardProps = {
  title: string
  /** At the right of the title: a link or a choice. */
  action?: ReactNode
  /** The content has rows that touch the border. */
  isFlush?: boolean
  isFiring?: boolean
  children: ReactNode
}

type ListCardProps = {
  title: string
  workspace: string
  /** The page with the whole list. */
  to: '/w/$workspace/alerts' | '/w/$workspace/sources'
  children: ReactNode
}

/** A card with the start of a list, and a link to the whole list. */
export function ListCard({ title, workspace, to, children }: ListCardProps) {
  return (
    <Card
      title={title}
      isFlush
      action={
        <LinkText to={to} params={{ workspace }}>
          {to === '/w/$workspace/alerts' ? 'All alerts' : 'All sources'}
        </LinkText>
      }
    >
      {children}
    </Card>
  )
}

/** A card of the home page. */
export function Card({ title, action, isFlush = false, isFiring = false, children }: CardProps) {
  return (
    <section
      className={classes.card}
      aria-label={title}
      data-flush={isFlush || undefined}
      data-firing={isFiring || undefined}
    >
      <div className={classes.head}>
        <Title order={2}>{title}</Title>
        {action}
      </div>
      {children}
    </section>
  )
}
