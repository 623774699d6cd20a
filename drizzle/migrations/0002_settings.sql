CREATE TABLE "settings" (
	"id" integer PRIMARY KEY NOT NULL,
	"output_days" integer DEFAULT 30 NOT NULL,
	"output_max_bytes" bigint DEFAULT 20000000000 NOT NULL,
	"answer_within_ms" bigint DEFAULT 3600000 NOT NULL
);
