import { List } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { Notice } from './notice.tsx'

/** The message of the first issue with this path. */
export function issueAt(issues: Issue[], path: string): string | undefined {
  return issues.find((issue) => issue.path === path)?.message
}

type IssueListProps = {
  title: string
  issues: Issue[]
  /** The messages already name the field. */
  isNamed?: boolean
}

export function IssueList({ title, issues, isNamed = false }: IssueListProps) {
  if (issues.length === 0) return null
  return (
    <Notice tone="bad" title={title}>
      <List size="sm" mt={4}>
        {issues.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            {!isNamed && path !== '' && <code>{path}</code>} {message}
          </List.Item>
        ))}
      </List>
    </Notice>
  )
}
