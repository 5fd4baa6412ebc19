# The app with its production packages only, the doctor, and the scripts for the policy, the audit log, backups and the end of all
# sign-ins. No build step: Node runs TypeScript as it is. To pin the base image to a digest as well:
#   docker buildx imagetools inspect node:24.21.0-slim
FROM node:24.21.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# No package that runs in production needs an install script.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-slim
# For the SQLite store; with REDIS_URL nothing is written there.
RUN install -d -o node -g node -m 700 /data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY src src
COPY scripts/run-command.ts scripts/run-command.ts
COPY scripts/printable.ts scripts/printable.ts
COPY scripts/with-store.ts scripts/with-store.ts
COPY scripts/setup/terminal.ts scripts/setup/terminal.ts
COPY scripts/doctor.ts scripts/doctor.ts
COPY scripts/doctor scripts/doctor
COPY scripts/audit.ts scripts/audit.ts
COPY scripts/audit scripts/audit
COPY scripts/policy.ts scripts/policy.ts
COPY scripts/policy scripts/policy
COPY scripts/backup.ts scripts/backup.ts
COPY scripts/backup scripts/backup
COPY scripts/sign-everybody-out.ts scripts/sign-everybody-out.ts
# SQLITE_TMPDIR: SQLite rewrites its file there, and /tmp is small.
ENV NODE_ENV=production OPS_HOST=* SQLITE_PATH=/data/bridge.db SQLITE_TMPDIR=/data NODE_COMPILE_CACHE=/app/node_modules/.cache/compiled
# Compiled here, so that a start need not: by the user who runs it, as Node keeps a cache for each, and afterwards as
# unchangeable as the code. On a processor with other features than this one Node ignores it, and starts more slowly.
RUN install -d -o node -g node node_modules/.cache \
  && setpriv --reuid=1000 --regid=1000 --clear-groups node --max-semi-space-size=16 --no-allocation-site-pretenuring src/main.ts --compile \
  && chown -R root:root node_modules/.cache \
  && chmod -R go+rX node_modules/.cache
# `node` of the base image, as a number: Kubernetes cannot tell from a name that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "--env-file-if-exists=.env", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The flags: see scripts/deploy/sizes.ts.
CMD ["node", "--max-semi-space-size=16", "--no-allocation-site-pretenuring", "src/main.ts"]
