BEGIN TRANSACTION;
CREATE TABLE bans (
	kind TEXT NOT NULL, 
	value TEXT NOT NULL, 
	created_ms BIGINT NOT NULL, 
	until_ms BIGINT, 
	note TEXT NOT NULL, 
	CONSTRAINT bans_pk PRIMARY KEY (kind, value)
);
CREATE TABLE beat (
	id INTEGER NOT NULL, 
	at_ms BIGINT NOT NULL, 
	outage_from_ms BIGINT, 
	recoverer TEXT, 
	recover_until_ms BIGINT, stopped_ms BIGINT, 
	CONSTRAINT beat_pk PRIMARY KEY (id), 
	CONSTRAINT beat_beat_one_row CHECK (id = 1)
);
INSERT INTO "beat" VALUES(1,4000,NULL,NULL,NULL,NULL);
CREATE TABLE blocks (
	person TEXT NOT NULL, 
	blocked TEXT NOT NULL, 
	name TEXT NOT NULL, 
	created_ms BIGINT NOT NULL, 
	CONSTRAINT blocks_pk PRIMARY KEY (person, blocked)
);
CREATE TABLE claims (
	match_id TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	process TEXT NOT NULL, 
	until_ms BIGINT NOT NULL, 
	CONSTRAINT claims_pk PRIMARY KEY (match_id), 
	CONSTRAINT claims_match_id_fk FOREIGN KEY(match_id) REFERENCES matches (id)
);
INSERT INTO "claims" VALUES('rematch',0,'one',5000);
CREATE TABLE devices (
	id TEXT NOT NULL, 
	person TEXT NOT NULL, 
	secret_hash TEXT NOT NULL, 
	name TEXT NOT NULL, 
	created_ms BIGINT NOT NULL, 
	seen_ms BIGINT NOT NULL, 
	CONSTRAINT devices_pk PRIMARY KEY (id), 
	CONSTRAINT devices_person_fk FOREIGN KEY(person) REFERENCES people (id), 
	CONSTRAINT devices_secret_hash_unique UNIQUE (secret_hash)
);
INSERT INTO "devices" VALUES('QlxtQ2bdJrB2','ann','hash-ann','',500,500);
CREATE TABLE events (
	match_id TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	seat INTEGER, 
	at_ms BIGINT NOT NULL, 
	data TEXT NOT NULL, 
	position TEXT NOT NULL, 
	client_id TEXT, 
	CONSTRAINT events_pk PRIMARY KEY (match_id, number), 
	CONSTRAINT events_match_id_fk FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT events_match_id_client_id_unique UNIQUE (match_id, client_id)
)
 WITHOUT ROWID

;
INSERT INTO "events" VALUES('match',1,'move',0,2000,'{"actions":[48],"text":"D4"}','e6fc049452a2da4b','client-1');
INSERT INTO "events" VALUES('match',2,'move',1,2000,'{"actions":[40],"text":"E5"}','2af01973c0147bb5','client-2');
INSERT INTO "events" VALUES('match',3,'move',0,2000,'{"actions":[32],"text":"F6"}','19b37f724292ede3','client-3');
INSERT INTO "events" VALUES('match',4,'move',1,2000,'{"actions":[81],"text":"pass"}','48503350767cffc5','client-4');
INSERT INTO "events" VALUES('match',5,'move',0,2000,'{"actions":[81],"text":"pass"}','c8e5e8be403d0df2','client-5');
CREATE TABLE judgements (
	"key" TEXT NOT NULL, 
	at_ms BIGINT NOT NULL, 
	data BLOB NOT NULL, 
	CONSTRAINT judgements_pk PRIMARY KEY ("key")
);
CREATE TABLE keys (
	hash TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	person TEXT, 
	created_ms BIGINT NOT NULL, 
	until_ms BIGINT, 
	CONSTRAINT keys_pk PRIMARY KEY (hash), 
	CONSTRAINT keys_person_fk FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE matches (
	id TEXT NOT NULL, 
	game TEXT NOT NULL, 
	options TEXT NOT NULL, 
	clock TEXT NOT NULL, 
	origin TEXT, 
	public BOOLEAN NOT NULL, 
	created_ms BIGINT NOT NULL, 
	creator TEXT, 
	started_ms BIGINT, 
	setup TEXT, 
	rematch_of TEXT, 
	number INTEGER NOT NULL, 
	moves INTEGER NOT NULL, 
	to_move INTEGER, 
	moved_ms BIGINT NOT NULL, 
	diagram TEXT NOT NULL, 
	status TEXT NOT NULL, 
	outcome TEXT, 
	flag_at_ms BIGINT, 
	machine_due BOOLEAN NOT NULL, estimate BOOLEAN DEFAULT 0 NOT NULL, ended_ms BIGINT, 
	CONSTRAINT matches_pk PRIMARY KEY (id), 
	CONSTRAINT matches_rematch_of_fk FOREIGN KEY(rematch_of) REFERENCES matches (id), 
	CONSTRAINT matches_rematch_of_unique UNIQUE (rematch_of)
);
INSERT INTO "matches" VALUES('match','go','{"size":9,"ko":"simple","scoring":"area","komi":6.5,"handicap":0}','{"kind":"absolute","main_ms":600000}',NULL,1,1000,'ann',1000,'{"game":"go","options":{"size":9,"ko":"simple","scoring":"area","komi":6.5,"handicap":0},"seats":[{"name":"Ann","kind":"person","id":"ann"},{"name":"Level 3","kind":"machine","id":"level:3"}],"clock":{"kind":"absolute","main_ms":600000},"started_ms":1000,"origin":null,"agreement":null}',NULL,5,5,0,1005,'9/9/9/9/9/9/9/9/9','over','{"winner":1,"reason":"score","score":[2.0,7.5]}',NULL,0,0,1005);
INSERT INTO "matches" VALUES('rematch','go','{"size":9,"komi":7.5,"rules":null}','{"kind":"fischer","main_ms":60000,"increment_ms":1000,"cap_ms":null}',NULL,1,1000,'ann',NULL,NULL,'match',0,0,0,1000,'9/9/9/9/9/9/9/9/9','playing',NULL,NULL,0,0,NULL);
CREATE TABLE notices (
	id TEXT NOT NULL, 
	text TEXT NOT NULL, 
	created_ms BIGINT NOT NULL, 
	until_ms BIGINT, 
	CONSTRAINT notices_pk PRIMARY KEY (id)
);
CREATE TABLE outages (
	from_ms BIGINT NOT NULL, 
	until_ms BIGINT NOT NULL, 
	CONSTRAINT outages_pk PRIMARY KEY (from_ms)
);
CREATE TABLE passkeys (
	id TEXT NOT NULL, 
	person TEXT NOT NULL, 
	public_key BLOB NOT NULL, 
	uses BIGINT NOT NULL, 
	name TEXT NOT NULL, 
	created_ms BIGINT NOT NULL, 
	used_ms BIGINT, 
	CONSTRAINT passkeys_pk PRIMARY KEY (id), 
	CONSTRAINT passkeys_person_fk FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE people (
	id TEXT NOT NULL, 
	secret_hash TEXT NOT NULL, 
	name TEXT NOT NULL, 
	created_ms BIGINT NOT NULL, 
	CONSTRAINT people_pk PRIMARY KEY (id), 
	CONSTRAINT people_secret_hash_unique UNIQUE (secret_hash)
);
INSERT INTO "people" VALUES('ann','hash-ann','Ann',500);
CREATE TABLE reports (
	id TEXT NOT NULL, 
	created_ms BIGINT NOT NULL, 
	reporter TEXT, 
	address TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	person TEXT, 
	text TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	done_ms BIGINT, 
	CONSTRAINT reports_pk PRIMARY KEY (id)
);
CREATE TABLE seats (
	match_id TEXT NOT NULL, 
	seat INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	name TEXT NOT NULL, 
	player TEXT NOT NULL, 
	holder TEXT, 
	invitation_hash TEXT, 
	seen_ms BIGINT, ended_ms BIGINT, 
	CONSTRAINT seats_pk PRIMARY KEY (match_id, seat), 
	CONSTRAINT seats_match_id_fk FOREIGN KEY(match_id) REFERENCES matches (id)
)
 WITHOUT ROWID

;
INSERT INTO "seats" VALUES('match',0,'person','Ann','','ann',NULL,4000,1005);
INSERT INTO "seats" VALUES('match',1,'machine','','level:3',NULL,NULL,NULL,1005);
INSERT INTO "seats" VALUES('rematch',0,'person','Ann','','ann',NULL,NULL,NULL);
INSERT INTO "seats" VALUES('rematch',1,'person','Bob','','bob',NULL,NULL,NULL);
CREATE TABLE studies (
	id TEXT NOT NULL, 
	owner TEXT, 
	created_ms BIGINT NOT NULL, 
	data BLOB NOT NULL, 
	CONSTRAINT studies_pk PRIMARY KEY (id)
);
INSERT INTO "studies" VALUES('study','ann',3000,X'7B2267616D65223A22676F227D');
CREATE TABLE tengen_schema (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT tengen_schema_pkc PRIMARY KEY (version_num)
);
INSERT INTO "tengen_schema" VALUES('0005');
CREATE INDEX matches_status_public_created_ms ON matches (status, public, created_ms);
CREATE INDEX matches_flag_at_ms ON matches (flag_at_ms) WHERE flag_at_ms IS NOT NULL;
CREATE INDEX matches_machine_due ON matches (machine_due) WHERE machine_due;
CREATE INDEX devices_person ON devices (person);
CREATE INDEX keys_person ON keys (person);
CREATE INDEX keys_until_ms ON keys (until_ms);
CREATE INDEX passkeys_person ON passkeys (person);
CREATE INDEX blocks_blocked ON blocks (blocked);
CREATE INDEX reports_done_ms_created_ms ON reports (done_ms, created_ms);
CREATE INDEX studies_owner ON studies (owner);
CREATE INDEX studies_created_ms ON studies (created_ms);
CREATE INDEX judgements_at_ms ON judgements (at_ms);
CREATE INDEX matches_rematch_of ON matches (rematch_of) WHERE rematch_of IS NOT NULL;
CREATE INDEX matches_creator_ended_ms_id ON matches (creator, ended_ms DESC, id);
CREATE INDEX seats_holder_ended_ms_match_id ON seats (holder, ended_ms DESC, match_id);
COMMIT;
