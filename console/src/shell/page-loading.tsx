import { Skeleton, Stack } from '@mantine/core'

export function PageLoading() {
  return (
    <Stack gap="md" aria-busy="true" aria-label="Loading">
      <Skeleton height={28} width={220} />
      <Skeleton height={16} width="60%" />
      <Skeleton height={220} />
    </Stack>
  )
}
