/** The guides for operators: accounts and keys, limits, and clients of an upstream. */

export const accounts = `
Each integrator gets an account with keys of its own. The first account is \`default\`, with the key of
\`BOOTSTRAP_API_KEY\`, which may do everything; with it the operator makes the others:

\`\`\`sh
curl "$URL/operator/accounts" -H "X-API-Key: $KEY" --json '{"name": "wallet-one", "commissionBps": 15}'
curl "$URL/operator/accounts/wallet-one/keys" -H "X-API-Key: $KEY" --json '{"label": "server"}'
curl "$URL/operator/accounts/wallet-one/routes" -H "X-API-Key: $KEY" -X PUT --json '{"sourceAsset": "btc.btc", "destinationAsset": "*", "allowed": false}'
curl "$URL/operator/audit" -H "X-API-Key: $KEY"
\`\`\`

A change holds at once on the replica that made it, and within a second on every other. \`deno task cli\` does the same.

**Keys.** A key is \`sbk_\`, its public id, \`_\`, 120 random bits, a MAC and a checksum. The answer that issues it is the only
one that shows it: its SHA-256 is kept. Lists, logs and revocations go by the public id. Its scopes are \`quote\`, \`swap\`
(opening), \`status\`, \`history\` and \`operate\`; without \`scopes\` it gets all but \`operate\`. It can have an end (\`expiresAt\`).
An account can have any number of keys, so one is replaced without a gap: issue the next, change over, \`DELETE\` the old one.
\`lastUsedAt\`, about a minute late at most, says whether anybody still calls with it. A key of another form (24 characters or
more) comes in only as \`BOOTSTRAP_API_KEY\`. The MAC is an HMAC-SHA-256 under a secret that the database makes once: it shows
that a key was issued here, and goes with a backup and with an export.

**Accounts.** An account has its default commission (\`commissionBps\`), may name affiliates or not (\`affiliates\`), and may be
called from pages of all origins or of those in \`allowedOrigins\`. Without \`Origin\` a request counts as coming from no
page; but where pages are listed, nothing begins a swap without one of them. Agents may call \`POST /mcp\` with its keys unless \`mcp\` is false: then each call is 403, within a second on
every replica, sessions end, and REST goes on. A **suspended** account gets 403 for everything but status and history: nothing new begins, and whoever has
funds under way can follow them to the end.

**Routes.** Without a rule every pair is allowed. \`*\` stands for any asset, and the most specific rule wins: that of the very
pair; else those of its source (\`btc.btc\` to \`*\`) and of its destination (\`*\` to \`eth.eth\`), of which each can deny; else
that of all pairs (\`*\` to \`*\`). So an account that may do one thing only has two rules: \`*\` to \`*\` denied, and its pair
allowed. A denied pair gets 403: for quotes with the code \`route_disabled\`, for openings without one. \`DELETE\` removes a
rule, so that a less specific one holds.

**Nobody is locked out by accident.** The last working key with the scope \`operate\` cannot be revoked, nor its account
suspended: that is a 409 until there is another one without \`expiresAt\`, as one that expires would only put the day off.

**Audit log.** Every change of accounts, keys, routes, webhooks and provider switches is written down in the transaction that
makes it, with who made it, when, and how it was before and after; never a secret. The database refuses to alter an entry.

**The business.** What all accounts swap and earn is behind \`/operator/swaps\`, \`/operator/commission\` and
\`/operator/channels\`:

\`\`\`sh
curl "$URL/operator/swaps?status=failed&account=default" -H "X-API-Key: $KEY"
curl "$URL/operator/swaps?find=0x2222222222222222222222222222222222222222" -H "X-API-Key: $KEY" -H "Accept: text/csv"
curl "$URL/operator/commission?from=2026-07-01&to=2026-07-31&by=account&by=day" -H "X-API-Key: $KEY"
\`\`\`

\`find\` takes whatever names a swap, in any spelling. Sums of commission are those that the accounts see at \`/commission\`.

**Disputed ends.** A provider may say of a swap that it has completed as it cannot have: the swap keeps its state, its account
gets \`swap.disputed\`, and the alert \`end_disputed\` begins. Look the payments up on their chains. If the end is true, accept it
by the entry of the journal that tells it (\`POST /operator/swaps/{id}/accept\`); else the first answer that explains it ends
the dispute.

Pages of any origin may call the service, with the key in a header or in the query. The operator's paths and \`/metrics\` are
the exception: a key that may operate does not belong in a page.
`

export const limits = `
Each API key has two buckets of tokens, and each account two for all its keys together: a request takes a token of both, or is
refused. Ten keys of one account do not have ten times the limit.

| limit | setting | a token is taken by |
|---|---|---|
| \`swap\` | \`RATE_LIMIT_SWAP\` | each request to \`/swap\` and \`/tx-payload/*\`, and each call that opens or encodes in a request to \`/rpc\` |
| \`default\` | \`RATE_LIMIT\` | every other request that needs a key, and every other call of a batch on \`/rpc\` |
| \`accountSwap\` | \`RATE_LIMIT_ACCOUNT_SWAP\` | the same as \`swap\`, by whatever key of the account |
| \`account\` | \`RATE_LIMIT_ACCOUNT\` | the same as \`default\`, by whatever key of the account |
| \`credentials\` | \`RATE_LIMIT_CREDENTIALS\` | each wrong key; the bucket is that of the address it comes from |
| \`payer\` | \`RATE_LIMIT_PAYER\` | each request for the payer's page of one swap |

A bucket fills evenly, all of it in a minute: a full one can be used at once, and then there is one token every 60 / setting
seconds. What fails takes its token too, an answer that is given again under an \`Idempotency-Key\` as well; what needs no key
takes none. A batch on \`/rpc\` takes a token for each call, or is refused as a whole. A setting of 0 is no limit.

Answers say how the key stands, or its account where that has less left, and a request too many gets a 429 before anything is
done for it:

\`\`\`
RateLimit-Policy: "default";q=6000;w=60      6000 tokens, which come back in 60 seconds
RateLimit: "default";r=5999;t=1              5999 are left, and all are back in a second
Retry-After: 7                               only with 429: until there is a token
\`\`\`

**Wrong keys** are counted by address: for IPv6 by its /64, and behind proxies by what they say in \`X-Forwarded-For\`, if
\`TRUSTED_PROXIES\` names them. An address without tokens gets a 429 for keys that this process has not seen to be right; those
are still looked up, one every 100 ms. A key that was right before is not slowed down, and one whose MAC shows that it was
issued here has a line of its own: guesses behind a shared address never stand in the way of a good key.

**Several replicas** with the same \`REDIS_URL\` share the buckets. None of them waits for Redis: each tells it ten times a
second what it took, so a key can take more for a tenth of a second, and has to make up for it. While Redis does not answer,
and without it, each replica has buckets of its own.

**Places at a provider.** Calls in flight to a provider are bounded by group (\`QUOTE_BULKHEAD\` and so on). One account has at
most \`BULKHEAD_SHARE\` of the places. Who finds none waits for \`BULKHEAD_WAIT\` in the line of its account, and what becomes
free goes to the accounts in turn. Deliveries to webhooks are shared likewise
(\`WEBHOOK_CONCURRENCY\`, \`WEBHOOK_ACCOUNT_SHARE\`). Set both shares to 1 where one account is all there is.

**Open channels.** An account may have \`OPEN_CHANNELS_MOST\` deposit channels open; one more is a 503 with the code
\`too_many_channels\`. A channel is open until its swap has completed or failed, or it has expired without a deposit; a later
deposit opens it again. Openings with an unknown outcome are not counted, nor are vault swaps, which have no channel.

| what | limit |
|---|---|
| \`boostFee\` | 0 to 100 basis points |
| \`commissionBps\` | 0 to 995 basis points, with affiliates 1000; never lower than the account's |
| affiliates | 4 |
| \`retryDurationInBlocks\` | 14400 blocks of 6 seconds, a day; 150 when absent |
| \`chunkIntervalBlocks\` | 2 or more; all chunks within 14400 blocks |
| a list (\`limit\`) | 500; 50 when absent |
| a URL | 8 KiB |
| a body | 64 KiB |
`

export const upstreamClients = `
A client of Chainflip that takes the URL of a broker can be given \`$URL/rpc/$KEY\` and works as before. The key in the path is
hidden from logs and traces like any other, though perhaps not from those of a proxy.

\`\`\`sh
curl "$URL/rpc/$KEY" --json '{"jsonrpc": "2.0", "id": 1, "method": "broker_request_swap_deposit_address", "params": {"source_asset": {"chain": "Bitcoin", "asset": "BTC"}, "destination_asset": {"chain": "Ethereum", "asset": "ETH"}, "destination_address": "0x2222222222222222222222222222222222222222", "broker_commission": 0, "refund_parameters": {"retry_duration": 150, "refund_address": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "min_price": "0x0"}}}'
\`\`\`

| method | does | scope |
|---|---|---|
| \`broker_request_swap_deposit_address\` | opens a channel, as \`/swap\` does | \`swap\` |
| \`broker_request_swap_parameter_encoding\` | encodes a transaction, as \`/tx-payload/*\` does; not from Bitcoin, as it tells too little for that | \`swap\` |
| \`cf_environment\`, \`cf_swap_rate_v3\`, \`cf_supported_assets\`, \`cf_available_pools\`, \`cf_boost_pools_depth\` | are passed on to the node as they are | \`quote\` |

Parameters come by name or as a list, \`max_oracle_price_slippage\` among them. What is opened is a swap of the account like any
other: its commission is raised to the account's, its routes, limits and cap of channels hold, and it is in \`/swaps\`. Only
Chainflip serves it, so there is no other provider to fall back to.

Failures of a call come with HTTP 200 and a JSON-RPC error, whose \`data\` has \`errors\` by parameter, or \`status\`, \`code\` and
\`traceId\` as a problem has. Who calls, and how much, is settled before: a wrong key, a missing scope or a limit is a problem
with its HTTP status. A batch has at most \`RPC_BATCH_MOST\` calls, of which \`RPC_BATCH_CONCURRENCY\` are under way at the same
time. There is no \`Idempotency-Key\` here; a client that has to repeat safely uses \`/swap\`.
`
