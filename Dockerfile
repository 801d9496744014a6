FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json ./web/
COPY packages/embedded-s3/package.json ./packages/embedded-s3/
COPY packages/embedded-postgres/package.json ./packages/embedded-postgres/
RUN npm ci
COPY tsconfig.json nest-cli.json ormconfig.ts ./
COPY packages ./packages
COPY src ./src
COPY web ./web
RUN npm run build

# Only what the service needs at run time. Without workspaces, because the pages are already built and production uses its own Postgres and store.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --workspaces=false

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/web/dist ./web/dist
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Run node as PID 1, because npm does not forward SIGTERM.
CMD ["node", "--enable-source-maps", "dist/src/main.js"]
