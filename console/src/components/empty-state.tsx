import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'
import type { Icon } from './first-icons.tsx'

type EmptyStateProps = {
  icon: Icon
  title: string
  text: ReactNode
  children?: ReactNode
  /** The page shows nothing else, so the title is the h1. */
  isPage?: boolean
}

/** Shown instead of an empty list: what will appear here, and the next step. */
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
