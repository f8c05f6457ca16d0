import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'
import type { Icon } from './icons.tsx'

type EmptyStateProps = {
  icon: Icon
  title: string
  text: ReactNode
  children?: ReactNode
  /** It is all there is on the page, so its title is the page's. */
  isPage?: boolean
}

/** What a page says when there is nothing yet: what would be here, and what to do next. */
export function EmptyState({ icon: Icon, title, text, children, isPage = false }: EmptyStateProps) {
  return (
    <Stack component="section" aria-label={title} align="center" gap="sm" className={classes.empty}>
      <span className={classes.icon}>
        <Icon size={26} />
      </span>
      <Title order={isPage ? 1 : 2} ta="center">
        {title}
      </Title>
      <Text c="dimmed" ta="center" maw={460}>
        {text}
      </Text>
      {children && (
        <Group mt="xs" justify="center">
          {children}
        </Group>
      )}
    </Stack>
  )
}
