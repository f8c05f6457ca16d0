import { List } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { Notice } from '../../parts/notice.tsx'

export function IssueList({ title, issues }: { title: string; issues: Issue[] }) {
  if (issues.length === 0) return null
  return (
    <Notice tone="bad" title={title}>
      <List size="sm" mt={4}>
        {issues.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            {path !== '' && <code>{path}</code>} {message}
          </List.Item>
        ))}
      </List>
    </Notice>
  )
}
