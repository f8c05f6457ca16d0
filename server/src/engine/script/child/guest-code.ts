import { limits } from '../limits.ts'
import { installGuest } from './guest.ts'
import { touchBuiltins } from './guest-builtins.ts'
import { makeHelpers } from './guest-helpers.ts'

export const guestLimits = { outputChars: limits.outputBytes, logChars: limits.logChars, logEntries: limits.logEntries }

/** Our own code inside QuickJS, as the text that is sent there. Its value is what guest.ts returns. */
export const guestCode = `'use strict';
(${touchBuiltins})();
(${installGuest})(${JSON.stringify(guestLimits)}, (${makeHelpers})())`
