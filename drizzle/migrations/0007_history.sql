CREATE TABLE "pool_history" (
	"at" timestamp with time zone NOT NULL,
	"source" text NOT NULL,
	"seconds" double precision NOT NULL,
	"seat_seconds" double precision NOT NULL,
	"cap_seconds" double precision NOT NULL,
	"waiting_seconds" double precision NOT NULL,
	"grants" integer NOT NULL,
	"ended" integer NOT NULL,
	"failed" integer NOT NULL,
	"commits" integer NOT NULL,
	"waits" integer[] NOT NULL,
	CONSTRAINT "pool_history_at_source_pk" PRIMARY KEY("at","source")
);
